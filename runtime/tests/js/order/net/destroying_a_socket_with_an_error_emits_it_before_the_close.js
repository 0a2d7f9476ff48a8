'use strict';
const net = require('net');

const server = net.createServer((socket) => socket.on('error', () => {}).resume());
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    socket.destroy(new Error('reason'));
    process.nextTick(() => console.log('tick'));
    setImmediate(() => console.log('immediate'));
    socket.write('x', (error) => console.log('write', error.code));
    console.log('connected');
  });
  socket.on('error', (error) => console.log('error', error.message));
  socket.on('end', () => console.log('never: end'));
  socket.on('close', (failed) => {
    console.log('close', failed);
    server.close(() => console.log('closed'));
  });
});
