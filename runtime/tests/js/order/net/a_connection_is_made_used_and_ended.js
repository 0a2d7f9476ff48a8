'use strict';
const net = require('net');

// The two ends run side by side: each has an order of its own.
const sides = { server: [], client: [] };
function watch(side, socket) {
  for (const name of ['connect', 'ready', 'end', 'finish', 'close']) {
    socket.on(name, () => sides[side].push(name));
  }
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => sides[side].push(`data ${chunk}`));
}
const server = net.createServer((socket) => {
  sides.server.push('connection');
  watch('server', socket);
  socket.on('end', () => socket.end('bye'));
  socket.on('close', (failed) => {
    sides.server.push(failed);
    server.close(() => sides.server.push('server closed'));
  });
});
server.on('listening', () => sides.server.push('listening'));
server.listen(0, '127.0.0.1', () => {
  sides.server.push('listen callback');
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    sides.client.push('connect callback');
    client.end('hello');
  });
  watch('client', client);
});
process.on('exit', () => {
  console.log(sides.server.join(' | '));
  console.log(sides.client.join(' | '));
});
