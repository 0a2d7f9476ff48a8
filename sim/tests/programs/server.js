'use strict';
const http = require('http');
const fs = require('fs');
const starts = fs.existsSync('starts') ? Number(fs.readFileSync('starts', 'utf8')) : 0;
const fd = fs.openSync('starts', 'w');
fs.writeSync(fd, String(starts + 1));
fs.fsyncSync(fd);
fs.closeSync(fd);
const server = http.createServer((request, response) => {
  if (request.url === '/end') server.close();
  response.end(`start ${starts + 1}, ${request.url}`);
  if (request.url === '/end') server.closeAllConnections?.();
});
server.listen(8080);
