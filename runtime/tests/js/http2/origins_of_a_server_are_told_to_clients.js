'use strict';
// Those that it was made with come first, then what a session adds.
const http2 = require('http2');
const { ca, server: identity } = require('../tls/keys');

const origins = ['https://one.test/path', new URL('https://two.test')];
const server = http2.createSecureServer({ ...identity, origins });
server.on('session', (session) => session.origin('https://three.test'));
server.on('stream', (stream) => {
  stream.respond();
  stream.end('ok');
});

server.listen(0, () => {
  const { port } = server.address();
  const client = http2.connect(`https://localhost:${port}`, { ca });
  const shown = (list) => list.map((one) => one.replace(port, 'PORT'));
  let left = 3;
  const done = () => {
    if (--left > 0) return;
    client.close();
    server.close();
  };
  client.on('origin', (told) => {
    console.log(told, shown(client.originSet));
    done();
  });
  client.request().on('close', done).resume();
});
