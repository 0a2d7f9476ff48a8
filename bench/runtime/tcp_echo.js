'use strict';
// A server that sends back what it gets, for load.c.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', (data) => socket.write(data));
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
