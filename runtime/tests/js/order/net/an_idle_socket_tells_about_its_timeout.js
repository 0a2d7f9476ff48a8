'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.on('error', () => {}).resume());
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected');
    socket.setTimeout(20, () => console.log('timeout callback'));
  });
  socket.on('timeout', () => {
    console.log('timeout');
    socket.destroy();
    console.log('destroyed', socket.destroyed);
  });
  socket.on('close', (failed) => {
    console.log('close', failed);
    server.close();
  });
});
