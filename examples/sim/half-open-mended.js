'use strict';
// The mended half-open.js: who hears nothing for a while hangs up and calls again.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('pong'));
  }).listen(7000);
});

sim.host('client', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  let left = 40;
  function connect() {
    const socket = net.connect(7000, 'server', () => socket.write('ping'));
    socket.on('error', () => {});
    socket.on('data', () => {
      if (--left === 0) sim.publish('done', true);
      else setTimeout(() => socket.write('ping'), 20);
    });
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('close', () => { if (left > 0) setTimeout(connect, 50); });
  }
  connect();
});

sim.until(() => sim.published('done'), { limit: 3600000 }).then(() => process.exit(), (error) => {
  assert.fail(error.message);
});
