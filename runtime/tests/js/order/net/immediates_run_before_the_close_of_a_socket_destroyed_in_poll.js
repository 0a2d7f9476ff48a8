'use strict';
const net = require('net');

const server = net.createServer((socket) => {
  socket.on('close', () => {
    console.log('close');
    server.close();
  });
  socket.destroy();
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
});
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume();
});
