'use strict';
// Requests in one connection whose answers wait: what came together with the one that is held back
// is still read.
const http = require('http');
const net = require('net');

const waiting = [];
const chunk = Buffer.alloc(1024, 'X');
let size = 0;
const server = http.createServer((req, res) => {
  waiting.push(res);
  if (waiting.length === 1) {
    client.write(request);
    return;
  }
  if (waiting.length === 2) res.write(chunk);
  else res.end(chunk);
  size += res.outputSize;
  if (size <= req.socket.writableHighWaterMark) client.write(request);
  else client.write(`${request}GET / HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: ws\r\n\r\nrest`);
}).on('upgrade', (req, socket) => {
  console.log('upgrade after', waiting.length > 15);
  waiting[1].end(chunk, () => socket.end());
  waiting[0].end('hello');
});
const request = 'GET / HTTP/1.1\r\nHost: example.com\r\n\r\n';
let client;
server.listen(0, () => {
  client = net.connect(server.address().port);
  client.write(request);
  client.resume();
  client.on('close', () => {
    console.log('closed');
    server.close();
  });
});
