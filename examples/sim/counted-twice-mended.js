'use strict';
// The mended counted-twice.js: each request has a number, and none counts twice.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('counter', () => {
  const sim = require('phasor:sim');
  let count = 0;
  let seen = 0;
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const number = Number(String(data).split(' ')[1]);
      if (number > seen) count++;
      seen = Math.max(seen, number);
      sim.publish('count', count);
      socket.write('ok');
    });
  }).listen(7000);
});

sim.host('client', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  let number = 1;
  let socket;
  let waits;
  function connect() {
    socket = net.connect(7000, 'counter', () => socket.write(`add ${number}`));
    socket.on('data', () => {
      clearTimeout(waits);
      if (number === 20) {
        sim.publish('done', true);
        return;
      }
      number++;
      socket.write(`add ${number}`);
      waits = setTimeout(() => socket.destroy(), 5000);
    });
    waits = setTimeout(() => socket.destroy(), 5000);
    socket.on('error', () => {}).on('close', () => {
      clearTimeout(waits);
      if (!sim.published('done')) setTimeout(connect, 10);
    });
  }
  connect();
});

sim.until(() => sim.published('done')).then(() => {
  assert.strictEqual(sim.published('count'), 20, 'something was counted twice');
  process.exit();
});
