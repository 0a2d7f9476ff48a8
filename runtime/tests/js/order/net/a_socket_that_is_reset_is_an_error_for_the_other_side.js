'use strict';
const net = require('net');

const server = net.createServer((socket) => {
  socket.on('error', (error) => console.log('server', error.code, error.syscall));
  socket.on('end', () => console.log('server end'));
  socket.on('close', (hadError) => {
    console.log('server close', hadError);
    server.close();
  });
  socket.resume();
  socket.write('hello');
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.once('data', () => {
    console.log(client.remoteAddress);
    client.resetAndDestroy();
  });
  client.on('error', (error) => console.log('client', error.code));
  client.on('close', (hadError) => console.log('client close', hadError, client.remoteAddress));
});
