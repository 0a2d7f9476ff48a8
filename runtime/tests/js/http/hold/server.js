'use strict';
// Says hello, on as many connections as come, until its standard input ends.
const fs = require('fs');
const http = require('http');
const descriptors = () => fs.readdirSync('/proc/self/fd').length;
const server = http.createServer({ keepAliveTimeout: 300000 }, (request, response) => {
  response.end('hello');
});
let before;
server.listen(0, '127.0.0.1', () => {
  before = descriptors();
  console.log(server.address().port);
});
process.stdin.on('data', () => server.getConnections((error, count) => {
  const rss = Math.round(process.memoryUsage.rss() / 1048576);
  console.log(`${count} connections, ${rss} MB`);
}));
process.stdin.on('end', () => server.close(() => {
  // The listening socket is gone, and so is the standard input.
  console.log(descriptors() <= before ? 'nothing is left' : `${descriptors()} of ${before} left`);
}));
