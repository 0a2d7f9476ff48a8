'use strict';
const net = require('net');

const server = net.createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('connect', () => console.log('never: connect'));
    socket.on('error', (error) => console.log('error', error.code, error.syscall));
    socket.on('close', (failed) => console.log('close', failed));
    console.log('connecting', socket.connecting);
  });
});
