'use strict';
// What happens to sockets that were sent: the server counts them and has closed when they have, and
// those in line arrive before the channel closes.
const net = require('net');
const { fork } = require('child_process');

const SOCKETS = 4;

function beChild() {
  const sockets = [];
  process.on('message', (message, socket) => {
    if (message === 'end this') socket.end('bye');
    if (message === 'keep this') sockets.push(socket);
    if (message === 'end') for (const one of sockets) one.end('bye');
    if (sockets.length === SOCKETS) process.send('all');
  });
}

// Sends the sockets of a server to a child, and calls back when the last one is on its way.
function sendAll(message, ready) {
  const child = fork(__filename, ['child']);
  const seen = [];
  let sent = 0;
  const server = net.createServer((socket) => {
    child.send(message, socket);
    if (++sent === SOCKETS) ready(child, server, seen);
  }).listen(0, () => {
    for (let i = 0; i < SOCKETS; i++) {
      const client = net.connect(server.address().port);
      client.on('data', (data) => seen.push(String(data)));
    }
  });
}

function countsAndWaits(next) {
  sendAll('keep this', (child, server) => {
    child.once('message', (message) => {
      console.log(message);
      server.getConnections((error, count) => {
        console.log(error, count, server._workers.length);
        server.close(() => {
          console.log('server: close');
          child.disconnect();
        });
        child.send('end');
      });
    });
    child.on('exit', (code) => {
      console.log('exit', code, server._workers.length);
      next();
    });
  });
}

function disconnectsAfterTheLast() {
  sendAll('end this', (child, server, seen) => {
    child.disconnect();
    console.log(child.connected);
    child.on('exit', (code) => {
      console.log('exit', code);
      setImmediate(function look() { // what it has sent is on its way
        if (seen.length < SOCKETS) setImmediate(look);
        else process.exit();
      });
    });
  });
}

if (process.argv[2] === 'child') beChild();
else countsAndWaits(disconnectsAfterTheLast);
