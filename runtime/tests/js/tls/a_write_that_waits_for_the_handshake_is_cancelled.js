'use strict';
const net = require('net');
const tls = require('tls');

const server = net.createServer((socket) => socket.destroy()).listen(0, () => {
  const client = tls.connect({ port: server.address().port });
  client.once('error', () => {
    client._undestroy();
    client.on('error', () => {});
  });
  client.write('hello', (error) => {
    console.log('the write', error.code, error.message);
    server.close();
  });
});
