'use strict';
const net = require('net');

const server = net.createServer((socket) => {
  server.close(() => console.log('server closed'));
  console.log('closing', server.listening);
  setTimeout(() => {
    console.log('ending');
    socket.end();
  }, 20);
  socket.on('close', () => console.log('socket closed'));
  socket.resume();
});
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').resume();
});
