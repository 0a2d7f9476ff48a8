'use strict';
const net = require('net');

const server = net.createServer((socket) => {
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('end', () => {
    console.log('received', text);
    socket.end();
    server.close();
  });
});
server.listen(0, '127.0.0.1', () => {
  const order = [];
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write('a', () => order.push('callback a'));
  socket.write('b', () => order.push('callback b'));
  socket.on('connect', () => order.push('connect'));
  socket.on('finish', () => order.push('finish'));
  socket.end('c', () => order.push('end callback'));
  socket.resume();
  socket.on('close', () => process.on('exit', () => console.log(order.join(' | '))));
});
