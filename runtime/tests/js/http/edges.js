'use strict';
// Corners of the interface, one after the other.
const http = require('node:http');
const net = require('net');
const path = require('path');
const { EventEmitter, once } = require('events');
const { Duplex, pipeline, finished } = require('stream');

function text(stream) {
  return new Promise((resolve, reject) => {
    let all = '';
    stream.on('data', (piece) => { all += piece; });
    stream.on('end', () => resolve(all));
    stream.on('error', reject);
  });
}
async function serve(options, handler, use) {
  const server = http.createServer(options, handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await use({ port, host: '127.0.0.1', agent: false }, server);
  if (server.listening) server.close();
}
function get(options, body) {
  return new Promise((resolve, reject) => {
    const req = http.request(options, async (res) => {
      try {
        resolve([res.statusCode, await text(res), res]);
      } catch (error) {
        reject(error);
      }
    });
    req.on('error', reject);
    req.end(body);
  });
}
const say = (name) => (error) =>
  console.log(name, error ? `${error.code} ${error.message}` : 'fine');

const steps = {
  async writeAfterEnd() {
    await serve({}, (req, res) => {
      res.on('error', say('error'));
      res.end('once', say('first end'));
      console.log(res.write('late', say('write')) );
      res.end(say('second end'));
      res.end('x', say('third end'));
    }, async (options) => console.log((await get(options)).slice(0, 2)));
  },
  async badChunks() {
    await serve({}, (req, res) => {
      for (const bad of [null, 5, {}, undefined]) {
        try {
          res.write(bad);
        } catch (error) {
          console.log(error.code, error.message);
        }
      }
      try {
        res.end(5);
      } catch (error) {
        console.log(error.code);
      }
      res.end();
    }, (options) => get(options));
  },
  async strictLength() {
    await serve({}, (req, res) => {
      res.strictContentLength = true;
      res.writeHead(200, { 'Content-Length': 3 });
      try {
        res.write('too long');
      } catch (error) {
        console.log(error.code, error.message);
      }
      res.end('abc');
    }, async (options) => console.log((await get(options)).slice(0, 2)));
  },
  async limits() {
    await serve({ maxHeaderSize: 200 }, (req, res) => res.end(String(req.rawHeaders.length)),
      async (options, server) => {
        console.log((await get({ ...options, headers: { a: 'x'.repeat(300) } }))[0]);
        server.maxHeadersCount = 2;
        console.log((await get({ ...options, headers: { a: 1, b: 2, c: 3, d: 4 } }))[1]);
      });
    await serve({}, (req, res) => res.setHeader('a', 'x'.repeat(500)).end(), async (options) => {
      await get({ ...options, maxHeaderSize: 300 }).catch(say('client'));
    });
  },
  async duplicates() {
    await serve({ joinDuplicateHeaders: true }, (req, res) => res.end(req.headers.age),
      async ({ port }) => {
        const socket = net.connect(port, '127.0.0.1');
        socket.write('GET / HTTP/1.1\r\nHost: a\r\nAge: 1\r\nAge: 2\r\nConnection: close\r\n\r\n');
        console.log((await text(socket)).split('\r\n\r\n')[1]);
      });
  },
  async echo() {
    await serve({}, (req, res) => {
      const all = [];
      const done = (name) => (error) => {
        all.push(`${name} ${error ? error.code : 'fine'}`);
        if (all.length === 3) console.log(all.sort());
      };
      pipeline(req, res, done('pipeline'));
      finished(req, done('request'));
      finished(res, done('response'));
    }, async (options) => console.log((await get({ ...options, method: 'POST' }, 'echoed'))[1]));
  },
  async iteration() {
    await serve({}, async (req, res) => {
      let size = 0;
      for await (const piece of req) size += piece.length;
      res.end(`${size}`);
    }, async (options) => console.log(
      (await get({ ...options, method: 'PUT' }, Buffer.alloc(300000)))[1]));
  },
  async localSocket() {
    const server = http.createServer((req, res) => res.end(req.url));
    const name = path.join(process.cwd(), `http-${process.pid}.sock`);
    server.listen(name);
    await once(server, 'listening');
    console.log(server.address() === name);
    console.log((await get({ socketPath: name, path: '/local', agent: false }))[1]);
    server.close();
    await once(server, 'close');
  },
  async ownStream() {
    let sent = '';
    const stream = new Duplex({
      read() {},
      write(piece, encoding, callback) {
        sent += piece;
        callback();
      },
    });
    stream.setTimeout = () => {};
    const server = http.createServer((req, res) => res.end(`on a stream ${req.url}`));
    server.emit('connection', stream);
    stream.push('GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    stream.destroySoon = stream.end;
    await once(stream, 'finish');
    console.log(sent.split('\r\n')[0], sent.split('\r\n\r\n')[1]);
  },
  async closing() {
    const asked = new EventEmitter();
    await serve({}, (req, res) => {
      if (req.url === '/slow') asked.emit('slow', res);
      else res.end('fast');
    }, async (options, server) => {
      const agent = new http.Agent({ keepAlive: true });
      await get({ ...options, agent, path: '/fast' });
      const slow = get({ ...options, agent, path: '/slow' });
      const [answer] = await once(asked, 'slow');
      const idle = new http.Agent({ keepAlive: true });
      await get({ ...options, agent: idle, path: '/fast' });
      const closed = new Promise((resolve) => { server.close(resolve); });
      answer.end('slow');
      console.log((await slow)[1]);
      agent.destroy();
      say('closed')(await closed);
      await get(options).catch((error) => console.log(error.code));
    });
  },
  async closeAll() {
    await serve({}, () => {}, async (options, server) => {
      const waits = get(options).catch(say('client'));
      await once(server, 'request');
      server.close(say('closed'));
      server.closeIdleConnections();
      server.closeAllConnections();
      await waits;
    });
  },
  async unasked() {
    await serve({}, (req, res) => res.end('nobody reads this'), async (options) => {
      const req = http.get(options);
      await once(req, 'close');
      console.log(req.destroyed, req.writableFinished, req.res.complete);
    });
  },
  async ownConnection() {
    await serve({}, (req, res) => res.end(req.headers.connection), async ({ port, host }) => {
      console.log((await get({ createConnection: () => net.connect(port, host) }))[1]);
      console.log((await get({ createConnection(given, done) {
        const socket = net.connect(port, host, () => done(null, socket));
      } }))[1]);
    });
  },
  async flushedEarly() {
    await serve({}, (req, res) => {
      console.log(req.headers['transfer-encoding'], req.headers['content-length']);
      res.flushHeaders();
      req.pipe(res);
    }, async (options) => {
      const req = http.request({ ...options, method: 'POST' });
      req.flushHeaders();
      const [res] = await once(req, 'response');
      console.log('response before the body', res.statusCode, req.headersSent);
      req.end('body');
      console.log(await text(res));
    });
  },
  async cork() {
    await serve({}, (req, res) => {
      res.cork();
      res.write('a');
      res.write('b');
      res.uncork();
      console.log(res.writableCorked, res.writableLength > 0, res.writableHighWaterMark,
        res.writableObjectMode, res.writable);
      res.end();
    }, async (options) => console.log((await get(options))[1]));
  },
  async listHeaders() {
    await serve({}, (req, res) => res.end(JSON.stringify(req.rawHeaders)), async (options) =>
      console.log((await get({ ...options, headers: ['Host', 'h', 'X-A', '1', 'X-A', '2'] }))[1]));
  },
  async versions() {
    await serve({ requireHostHeader: false }, (req, res) => res.end(req.httpVersion),
      async ({ port }) => {
        for (const head of ['HTTP/1.0', 'HTTP/1.0\r\nConnection: keep-alive', 'HTTP/1.1']) {
          const socket = net.connect(port, '127.0.0.1');
          socket.end(`GET / ${head}\r\n\r\n`);
          console.log(JSON.stringify((await text(socket)).replace(/Date: [^\r]*/, 'Date')));
        }
      });
  },
  async dropped() {
    await serve({}, (req, res) => res.end('x'), async ({ port }, server) => {
      server.maxRequestsPerSocket = 1;
      server.on('dropRequest', (req) => console.log('dropRequest', req.url));
      const socket = net.connect(port, '127.0.0.1');
      socket.on('data', (piece) => { if (String(piece).includes('503')) socket.end(); });
      socket.write('GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n');
      console.log((await text(socket)).match(/HTTP\/1.1 \d+|Connection: \S+|Keep-Alive: .*/g));
    });
  },
  async agentEvents() {
    await serve({}, (req, res) => res.end('x'), async (options) => {
      const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1 });
      const made = [];
      const create = agent.createConnection;
      agent.createConnection = function createConnection(given, ...rest) {
        made.push(given.port === options.port);
        return create.call(this, given, ...rest);
      };
      await Promise.all([get({ ...options, agent }), get({ ...options, agent })]);
      await new Promise((resolve) => { setTimeout(resolve, 20); });
      console.log(made, Object.values(agent.freeSockets).map((list) => list.length),
        agent.totalSocketCount);
      agent.destroy();
    });
  },
};
(async () => {
  for (const name of Object.keys(steps)) {
    console.log('---', name);
    await steps[name]();
  }
})();
