'use strict';
const net = require('net');

process.on('exit', (code) => console.log('exit', code));
const server = net.createServer((socket) => {
  socket.on('close', () => console.log('never: close'));
  socket.destroy();
  process.exit(13);
});
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('error', () => {});
});
