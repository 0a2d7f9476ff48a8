'use strict';
// A breaker opens when an answer is late and closes when one is in time. A network that is late and
// in time by turns makes it flap; from the ninth time in a row on it stays open for a while.
//
//   phasor sim --seeds 1000 flapping-mended.js   finds none
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  const socket = require('dgram').createSocket('udp4');
  socket.on('message', (text, from) => socket.send(text, from.port, from.address));
  socket.bind(7);
});

sim.host('client', () => {
  const sim = require('phasor:sim');
  const socket = require('dgram').createSocket('udp4');
  let number = 0;
  let answered = 0;
  let open = false;
  let flaps = 0;
  let spared = 0; // questions in a row that were not asked

  function close() {
    open = false;
    flaps = 0;
  }
  function judge() {
    const late = answered < number;
    if (late === open) {
      flaps = 0;
      return;
    }
    flaps++;
    sim.reached(`flap ${flaps}`);
    if (flaps >= 9) {
      open = true;
      setTimeout(close, 500);
      return;
    }
    open = late;
  }
  function ask() {
    if (open && flaps >= 9) {
      sim.publish('spared', ++spared);
      return;
    }
    spared = 0;
    socket.send(String(++number), 7, 'server', () => {});
    setTimeout(judge, 12);
  }
  socket.on('message', (text) => {
    answered = Math.max(answered, Number(text));
  });
  socket.bind(0, () => setInterval(ask, 60));
});

setInterval(() => {
  if (sim.now() > 4000) process.exit();
  assert.ok((sim.published('spared') ?? 0) < 30, 'the breaker stays open');
}, 100);
