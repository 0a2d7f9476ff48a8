'use strict';
// The mended paid-twice.js: the shop gives each payment a number of its own, and the bank answers a
// number that it knows without paying again.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('bank', () => {
  const sim = require('phasor:sim');
  const known = new Set();
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (message) => {
      known.add(String(message).split(' ')[2]);
      sim.publish('paid', known.size);
      socket.end('thanks');
    });
  }).listen(7000);
});

sim.host('shop', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  const number = require('crypto').randomUUID();
  function pay() {
    const socket = net.connect(7000, 'bank', () => socket.write(`pay 10 ${number}`));
    const again = setTimeout(() => { socket.destroy(); pay(); }, 500);
    socket.on('error', () => {});
    socket.on('data', () => {
      clearTimeout(again);
      sim.publish('answered', true);
    });
  }
  setTimeout(pay, 100);
});

setTimeout(() => sim.cut('shop', 'bank'), 95 + sim.random(30));
setTimeout(() => sim.heal('shop', 'bank'), 2000);

sim.until(() => sim.published('answered')).then(() => {
  assert.strictEqual(sim.published('paid'), 1, 'the customer has paid more than once');
  process.exit();
});
