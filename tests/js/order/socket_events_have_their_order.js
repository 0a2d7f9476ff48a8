'use strict';
const net = require('net');
const server = net.createServer((socket) => {
  socket.end('hello');
  socket.resume();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  for (const name of ['lookup', 'connect', 'ready', 'end', 'finish', 'close']) {
    client.on(name, () => console.log(name));
  }
  client.on('data', (data) => console.log('data', String(data)));
  client.on('close', () => server.close());
});
