'use strict';
// The mended one-way.js: the next job is sent when the worker has confirmed the last one.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('worker', () => {
  const sim = require('phasor:sim');
  const socket = require('dgram').createSocket('udp4');
  const jobs = new Set();
  socket.on('message', (text, from) => {
    const [what, number] = String(text).split(' ');
    if (what !== 'job') return;
    jobs.add(number);
    sim.publish('jobs', jobs.size);
    socket.send(`done ${number}`, from.port, from.address);
  });
  socket.bind(7000, () => {
    setInterval(() => socket.send('alive', 7001, 'boss', () => {}), 20);
  });
});

sim.host('boss', () => {
  const sim = require('phasor:sim');
  const socket = require('dgram').createSocket('udp4');
  let heard = 0;
  let number = 1;
  socket.on('message', (text) => {
    const [what, done] = String(text).split(' ');
    if (what === 'alive') heard = performance.now();
    if (what === 'done' && Number(done) === number) number++;
  });
  socket.bind(7001, () => {
    const timer = setInterval(() => {
      if (heard === 0 || performance.now() - heard > 100) return; // the worker is away: later
      if (number > 20) {
        clearInterval(timer);
        setTimeout(() => sim.publish('sent', true), 1000);
        return;
      }
      socket.send(`job ${number}`, 7000, 'worker', () => {});
    }, 20);
  });
});

sim.until(() => sim.published('sent')).then(() => {
  assert.strictEqual(sim.published('jobs'), 20, 'a job is lost');
  process.exit();
});
