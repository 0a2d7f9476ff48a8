'use strict';
// The end of a stream travels with its last bytes; settings that break the rules end the session
// with the rule's error; a server may close before its sessions.
const http2 = require('http2');
const net = require('net');

const KINDS = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING',
  'GOAWAY', 'WINDOW_UPDATE'];

function framesIn(bytes) {
  const found = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes.readUInt32BE(at + 5) !== 0)
      found.push(`${KINDS[bytes[at + 3]]} ${bytes[at + 4]} ${bytes.readUIntBE(at, 3)}`);
  }
  return found;
}

function showFrames(write) {
  return new Promise((resolve) => {
    const server = http2.createServer();
    server.on('stream', (stream) => {
      stream.respond();
      write(stream);
    });
    server.listen(0, '127.0.0.1', () => {
      let bytes = Buffer.alloc(0);
      const between = net.createServer((near) => {
        const far = net.connect(server.address().port, '127.0.0.1');
        near.pipe(far);
        far.on('data', (chunk) => { bytes = Buffer.concat([bytes, chunk]); });
        far.pipe(near);
        near.on('error', () => {});
        far.on('error', () => {});
      });
      between.listen(0, '127.0.0.1', () => {
        const client = http2.connect(`http://127.0.0.1:${between.address().port}`);
        const request = client.request();
        request.resume();
        request.on('close', () => {
          console.log(framesIn(bytes).slice(1));
          client.close();
          server.close();
          between.close(resolve);
        });
      });
    });
  });
}

function showServerClose() {
  return new Promise((resolve) => {
    const server = http2.createServer();
    server.on('stream', (stream) => {
      stream.respond();
      stream.end('served');
    });
    server.listen(0, '127.0.0.1', () => {
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
      const ask = (then) => client.request().on('close', then).resume();
      ask(() => {
        server.close(() => {
          console.log('server closed');
          resolve();
        });
        setImmediate(() => ask(() => {
          console.log('served after close()', client.closed);
          client.close();
        }));
      });
    });
  });
}

function showBrokenRule() {
  const server = http2.createServer({ settings: { enableConnectProtocol: true } });
  server.on('session', (session) => {
    session.on('error', () => {});
    session.settings({ enableConnectProtocol: false });
  });
  server.listen(0, '127.0.0.1', () => {
    const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
    client.on('remoteSettings', () => {
      const request = client.request({ ':method': 'CONNECT', ':protocol': 'foo' });
      request.on('error', (error) => {
        console.log('request', error.code, error.message, request.rstCode);
        server.close();
      });
    });
    client.on('error', (error) => console.log('session', error.code, error.message));
  });
}

showFrames((stream) => {
  stream.write('first');
  stream.end('second');
}).then(() => showFrames((stream) => stream.end('only'))).then(() => showFrames((stream) => {
  stream.write('first');
  stream.write('second');
  stream.write('third');
  stream.end();
})).then(showServerClose).then(showBrokenRule);
