'use strict';
// A server in two processes that says hello on a port, which it prints.
const cluster = require('cluster');
const http = require('http');

const WORKERS = 2;
if (cluster.isPrimary) {
  let count = 0;
  cluster.on('listening', (worker, { port }) => {
    if (++count === WORKERS) console.log(port);
  });
  for (let i = 0; i < WORKERS; i++) cluster.fork();
} else {
  http.createServer((request, response) => response.end('hello')).listen(0, '127.0.0.1');
}
