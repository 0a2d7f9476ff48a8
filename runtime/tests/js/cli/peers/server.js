'use strict';
// server.js KEYS: HTTPS and HTTP/2 on a free port, which it prints. Says what was asked, by whom.
const http2 = require('http2');
const keys = require(process.argv[2]);

const server = http2.createSecureServer({ ...keys.server, ca: keys.ca, allowHTTP1: true,
  requestCert: true, rejectUnauthorized: false }, (request, response) => {
  const socket = request.stream ? request.stream.session.socket : request.socket;
  let size = 0;
  request.on('data', (chunk) => { size += chunk.length; });
  request.on('end', () => response.end(`${request.httpVersion} ${request.url} ${size} ${
    socket.authorized}`));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
