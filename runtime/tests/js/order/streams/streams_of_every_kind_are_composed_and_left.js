// compose, Duplex.from, pipeline and destroy with streams, functions, promises and older streams.
const { compose, destroy, finished, pipeline, Duplex, PassThrough, Readable, Stream, Transform,
  Writable } = require('stream');
const http = require('http');
const log = console.log;

function older() {
  const stream = new Stream();
  stream.pause = stream.resume = () => {};
  stream.write = (data) => stream.emit('data', data);
  stream.end = () => stream.emit('end');
  return stream;
}

const upper = () => new Transform({
  transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); },
});

const tests = {
  'a function that takes all': (done) => {
    const all = compose(upper(), async function* each(source) {
      for await (const chunk of source) yield `${chunk}!`;
    }, async (source) => {
      for await (const chunk of source) log('taken', String(chunk));
    });
    log(all.readable, all.writable);
    all.on('finish', () => log('finish')).on('close', done).end('abc');
  },
  'only what can be read and written': (done) => {
    try {
      compose(new Writable(), upper());
    } catch (error) {
      log(error.code, error.message.split(' Received')[0]);
    }
    try {
      Duplex.from(() => 5);
    } catch (error) {
      log(error.code, error.message);
    }
    done();
  },
  'a promise is read': (done) => {
    const duplex = Duplex.from(Promise.resolve('value'));
    duplex.once('readable', () => log(duplex.read())).on('end', done);
  },
  'older streams in a row': (done) => {
    pipeline(Readable.from(['a', 'b']), older(), upper(), (error) => { log(error); done(); })
      .on('data', (chunk) => log(String(chunk)));
  },
  'a transform that ended takes its time': (done) => {
    const transform = new Transform({
      transform(chunk, encoding, callback) { this.push(null); callback(); },
    });
    log(transform.write(Buffer.alloc(20000), () => log('written')), transform.writableLength);
    transform.on('drain', () => log('drain')).on('end', done).resume();
  },
  'names in their order': (done) => {
    const duplex = new PassThrough();
    for (const name of ['other', 'readable', 'data', 'drain', 'error', 'close']) {
      duplex.on(name, () => {});
    }
    log(duplex.eventNames().join());
    done();
  },
  'an end that was announced is no loss': (done) => {
    const readable = new Readable();
    finished(readable, (error) => { log(error); done(); });
    readable.push(null);
    readable.emit('close');
    readable.resume();
  },
  'a request can be given up and answered': (done) => {
    const server = http.createServer((request, response) => {
      request.on('error', (error) => log(error.name));
      request.on('close', () => response.end('answer'));
      destroy(request);
    });
    server.listen(0, () => {
      const { port } = server.address();
      http.request({ port, method: 'POST', agent: false }, (response) => {
        response.on('data', (data) => log(String(data))).on('end', () => server.close(done));
      }).end('body');
    });
  },
};

(async () => {
  for (const [name, test] of Object.entries(tests)) {
    log(`- ${name}`);
    await new Promise((resolve) => { test(() => resolve()); });
  }
})();
