'use strict';
// Client and server in one process, one connection that is kept.
const http = require('http');

const COUNT = 5000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const server = http.createServer((request, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const start = process.hrtime.bigint();
  let left = COUNT;
  const next = () => {
    if (left-- === 0) {
      console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
      agent.destroy();
      server.close();
      return;
    }
    http.get({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume();
      response.on('end', next);
    });
  };
  next();
});
