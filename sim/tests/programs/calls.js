'use strict';
// Does a bit of everything, says which errors it met, and never fails.
const fs = require('fs');
const net = require('net');
const dgram = require('dgram');
const dns = require('dns');
const met = new Map();
const began = Date.now();
const meet = (where) => (error) => {
  if (!error) return;
  const name = `${where} ${error.code}`;
  met.set(name, (met.get(name) ?? 0) + 1);
};
process.on('uncaughtException', meet('thrown'));

function files(i) {
  const name = `file${i}`;
  fs.writeFile(name, 'x'.repeat(5000), (error) => {
    fs.mkdir(`folder${i}`, meet('file'));
    if (error) {
      meet('file')(error);
      return;
    }
    fs.readFile(name, (error, data) => {
      meet('file')(error);
      if (!error && data.length !== 5000) met.set('short file', data.length);
      fs.open(name, 'r+', (error, fd) => {
        meet('file')(error);
        if (!error) change(name, fd);
      });
    });
  });
}

function change(name, fd) {
  fs.fsync(fd, (error) => {
    meet('file')(error);
    fs.ftruncate(fd, 5000, (error) => {
      meet('file')(error);
      fs.close(fd, meet('close'));
      fs.rename(name, `${name}-moved`, (error) => {
        meet('file')(error);
        fs.unlink(`${name}-moved`, meet('file'));
      });
    });
  });
}

const server = net.createServer((socket) => socket.on('error', meet('stream')).pipe(socket));
server.on('error', meet('server'));

function streams() {
  const socket = net.connect(9000, '127.0.0.1');
  let size = 0;
  socket.on('error', meet('stream'));
  socket.on('data', (data) => {
    size += data.length;
    if (size === 3000) socket.end();
  });
  for (let i = 0; i < 3; i++) setTimeout(() => socket.write('y'.repeat(1000)), i);
}

const receiver = dgram.createSocket('udp4').on('error', meet('datagram'));

function datagrams() {
  const socket = dgram.createSocket('udp4').on('error', meet('datagram'));
  socket.send('z', 9001, '127.0.0.1', (error) => {
    meet('datagram')(error);
    socket.close();
  });
}

receiver.bind(9001, '127.0.0.1');
server.listen(9000, '127.0.0.1');
for (let i = 0; i < 60; i++) {
  setTimeout(() => {
    for (const one of [files, streams, datagrams]) {
      try {
        one(i);
      } catch (error) {
        meet('thrown')(error);
      }
    }
    dns.lookup('localhost', meet('name'));
    if (Math.abs(Date.now() - began) > 3600000) met.set('the calendar stepped', 1);
  }, i * 20);
}
setTimeout(() => {
  for (const [name, count] of [...met].sort()) console.log(name, count);
  process.exit(0);
}, 3600000);
