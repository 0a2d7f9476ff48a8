'use strict';
// A reader that pauses for hours holds its writer back, and loses nothing.
const sim = require('phasor:sim');
const net = require('net');
const { createHash } = require('crypto');
const total = 4 * 1024 * 1024;
const server = net.createServer((socket) => {
  const hash = createHash('sha256');
  let size = 0;
  socket.pause();
  const timer = setInterval(() => socket.resume(), 3600000);
  socket.on('data', (data) => {
    hash.update(data);
    size += data.length;
    socket.pause();
  });
  socket.on('end', () => {
    clearInterval(timer);
    console.log('read', size, hash.digest('hex') === sent.digest('hex'));
    socket.end();
    server.close();
  });
});
const sent = createHash('sha256');
server.listen(0, () => {
  const socket = net.connect(server.address().port);
  let written = 0;
  let waits = 0;
  (function write() {
    while (written < total) {
      const part = Buffer.alloc(65536, written / 65536);
      sent.update(part);
      written += part.length;
      if (!socket.write(part)) {
        waits++;
        socket.once('drain', write);
        return;
      }
    }
    console.log('waited', waits > 2, sim.now() > 3600000);
    socket.end();
  })();
});
