'use strict';
// A shop asks the bank for a payment and tries again when no answer comes. The way is cut at some
// moment; if only the answer is lost, the second try pays a second time.
//
//   phasor sim --seeds 1000 paid-twice.js
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('bank', () => {
  const sim = require('phasor:sim');
  let paid = 0;
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      sim.publish('paid', ++paid);
      socket.end('thanks');
    });
  }).listen(7000);
});

sim.host('shop', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  function pay() {
    const socket = net.connect(7000, 'bank', () => socket.write('pay 10'));
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
