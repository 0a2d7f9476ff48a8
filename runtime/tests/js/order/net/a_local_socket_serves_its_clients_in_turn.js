'use strict';
const net = require('net');

const server = net.createServer((socket) => {
  socket.on('data', (chunk) => socket.end(chunk.toString().toUpperCase()));
});
function ask(text, callback) {
  let answer = '';
  const socket = net.connect('local.sock', () => socket.write(text));
  socket.on('data', (chunk) => (answer += chunk));
  socket.on('end', () => console.log('end'));
  socket.on('close', () => {
    console.log('close', answer);
    callback();
  });
}
server.listen('local.sock', () => {
  console.log('listening', server.address());
  ask('one', () => ask('two', () => server.close(() => console.log('closed'))));
});
