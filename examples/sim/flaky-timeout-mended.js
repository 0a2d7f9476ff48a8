'use strict';
// The mended flaky-timeout.js: an answer says which question it belongs to, and one that comes too
// late is dropped.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (question) => {
      setTimeout(() => socket.write(`answer to ${question}\n`), 20);
    });
  }).listen(7000);
});

sim.host('client', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  const waiting = new Map();
  let rest = '';
  const socket = net.connect(7000, 'server', async () => {
    await ask('one').catch(() => {});
    const answer = await ask('two').catch(() => 'none');
    sim.publish('answer', answer);
  });
  socket.on('error', () => {}).on('close', () => sim.publish('answer', 'none'));
  socket.on('data', (data) => {
    const lines = (rest + data).split('\n');
    rest = lines.pop();
    for (const line of lines) waiting.get(line.slice('answer to '.length))?.(line);
  });
  function ask(question) {
    socket.write(question);
    return new Promise((resolve, reject) => {
      waiting.set(question, resolve);
      setTimeout(() => {
        waiting.delete(question);
        reject(new Error('no answer'));
      }, 30);
    });
  }
});

sim.until(() => sim.published('answer') !== undefined).then(() => {
  assert.notStrictEqual(sim.published('answer'), 'answer to one', 'the answer to another question');
  process.exit();
});
