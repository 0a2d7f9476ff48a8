'use strict';
const net = require('net');
const { once } = require('events');

(async () => {
  const server = net.createServer((socket) => {
    socket.write('hello ');
    setTimeout(() => socket.end('world'), 10);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log('listening');
  const socket = net.connect(server.address().port, '127.0.0.1');
  await once(socket, 'connect');
  console.log('connected');
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
  }
  console.log(text, socket.destroyed);
  server.close();
  await once(server, 'close');
  console.log('closed');
})();
