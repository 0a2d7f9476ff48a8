'use strict';
const net = require('net');
const server = net.createServer((socket) => {
  console.log('connection');
  socket.on('end', () => console.log('server side end'));
  socket.on('close', () => console.log('server side close'));
  socket.resume();
});
server.on('close', () => console.log('server close'));
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    server.close();
    console.log('closing');
    setTimeout(() => client.end('bye'), 10);
  });
});
