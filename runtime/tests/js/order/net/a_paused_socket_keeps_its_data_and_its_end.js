'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.end('data'));
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.pause();
  socket.on('data', (chunk) => console.log('data', chunk.toString()));
  socket.on('end', () => console.log('end'));
  socket.on('close', () => {
    console.log('close');
    server.close();
  });
  setTimeout(() => {
    console.log('resume');
    socket.resume();
  }, 50);
});
