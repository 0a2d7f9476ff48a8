// Inside 'close': which comes first? It depends on what is closed.
'use strict';
const fs = require('fs');
const net = require('net');

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function race(what, next) {
  setTimeout(function timeout() { console.log(`${what}: timeout`); }, 0);
  setImmediate(function immediate() { console.log(`${what}: immediate`); });
  spin(5); // the timeout is due when this callback returns
  if (next) setTimeout(next, 20);
}

function file() {
  const stream = fs.createReadStream(__filename);
  stream.on('close', function onFileClose() { race('file'); });
  stream.resume();
}

const server = net.createServer().listen(0, '127.0.0.1', function onListening() {
  const socket = net.connect(server.address().port, '127.0.0.1', function onConnect() {
    server.close();
    socket.destroy();
  });
  socket.on('close', function onSocketClose() { race('socket', file); });
});
server.on('connection', function onConnection(peer) { peer.resume(); });
