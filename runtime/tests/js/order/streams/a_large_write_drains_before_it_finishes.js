'use strict';
const net = require('net');
const size = 8 * 1024 * 1024;

const server = net.createServer((socket) => {
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length));
  socket.on('end', () => {
    server.close(() => console.log('received', received === 2 * size));
    socket.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.on('connect', () => {
    console.log('kept going', socket.write(Buffer.alloc(size), () => console.log('written')));
  });
  socket.once('drain', () => {
    console.log('drain', socket.writableLength);
    socket.end(Buffer.alloc(size));
  });
  socket.on('finish', () => console.log('finish', socket.bytesWritten === 2 * size));
  socket.resume();
});
