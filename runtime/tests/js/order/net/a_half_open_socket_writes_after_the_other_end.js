'use strict';
const net = require('net');

const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.resume();
  socket.on('end', () => {
    console.log('server end', socket.writable);
    setTimeout(() => socket.end('late'), 10);
  });
  socket.on('close', () => server.close());
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.on('data', (chunk) => console.log('client data', chunk.toString()));
  socket.on('end', () => console.log('client end'));
  socket.on('close', () => console.log('client close'));
  socket.end('request');
});
