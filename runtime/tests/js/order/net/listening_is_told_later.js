'use strict';
const net = require('net');

const server = net.createServer();
server.on('listening', () => console.log('listening', server.listening));
server.on('close', () => console.log('close'));
server.listen(0, '127.0.0.1', () => {
  console.log('callback');
  server.close((error) => console.log('close callback', error));
  server.close((error) => console.log('second close', error.code));
  console.log('closing', server.listening);
});
console.log('main', server.listening);
Promise.resolve().then(() => console.log('microtask'));
