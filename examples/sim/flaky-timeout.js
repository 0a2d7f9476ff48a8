'use strict';
// A test that passes on the author's machine and fails elsewhere now and then: the client gives up
// after 30 ms, and the answer takes about as long. When the timeout comes first, the answer that
// follows it is taken for that of the next question.
//
//   phasor sim --seeds 1000 flaky-timeout.js
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (question) => {
      setTimeout(() => socket.write(`answer to ${question}`), 20);
    });
  }).listen(7000);
});

sim.host('client', () => {
  const net = require('net');
  const sim = require('phasor:sim');
  const socket = net.connect(7000, 'server', async () => {
    await ask('one').catch(() => {});
    const answer = await ask('two').catch(() => 'none');
    sim.publish('answer', answer);
  });
  function ask(question) {
    socket.write(question);
    return new Promise((resolve, reject) => {
      socket.once('data', (data) => resolve(String(data)));
      setTimeout(() => {
        socket.removeAllListeners('data');
        reject(new Error('no answer'));
      }, 30);
    });
  }
});

sim.until(() => sim.published('answer') !== undefined).then(() => {
  assert.notStrictEqual(sim.published('answer'), 'answer to one', 'the answer to another question');
  process.exit();
});
