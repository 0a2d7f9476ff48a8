'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.unref());
server.listen(0, '127.0.0.1', () => {
  server.unref();
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected');
    socket.unref();
  });
  socket.on('close', () => console.log('never: close'));
});
process.on('beforeExit', () => console.log('beforeExit'));
process.on('exit', (code) => console.log('exit', code));
