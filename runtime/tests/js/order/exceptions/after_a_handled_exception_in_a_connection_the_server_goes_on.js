'use strict';
const net = require('net');

let connections = 0;
process.on('uncaughtException', (error) => console.log('handler', error.message));
const server = net.createServer((socket) => {
  socket.end();
  socket.resume();
  process.nextTick(() => console.log('tick'));
  if (++connections === 2) {
    server.close(() => console.log('closed'));
  }
  throw new Error(`connection ${connections}`);
});
server.listen(0, '127.0.0.1', () => {
  const connect = () => net.connect(server.address().port, '127.0.0.1').resume();
  connect().on('close', connect);
});
