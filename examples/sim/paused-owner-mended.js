'use strict';
// The mended paused-owner.js: each lease has a number that only grows, and the store takes no
// write with an older one than it has seen.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('store', () => {
  const sim = require('phasor:sim');
  let owner;
  let until = 0;
  let token = 0;
  let newest = 0;
  require('net').createServer((socket) => {
    socket.on('error', () => {});
    let rest = '';
    socket.on('data', (data) => {
      const lines = (rest + data).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        const [what, name, number] = line.split(' ');
        if (what === 'lease') {
          if (owner !== name && performance.now() < until) continue;
          if (owner !== name) token++;
          owner = name;
          until = performance.now() + 100;
          socket.write(`${token}\n`);
        } else if (Number(number) >= newest) {
          newest = Number(number);
          sim.publish('writes', [...(sim.published('writes') ?? []), Number(number)]);
        }
      }
    });
  }).listen(7000);
});

// Asks for the lease again and again; who has had it for less than 50 ms writes.
function client(name) {
  const socket = require('net').connect(7000, 'store');
  let asked = 0;
  socket.on('error', () => {});
  socket.on('data', (data) => {
    const token = String(data).trim().split('\n').pop();
    if (performance.now() - asked > 50) return;
    setImmediate(() => socket.write(`write ${name} ${token}\n`));
  });
  setInterval(() => {
    asked = performance.now();
    socket.write(`lease ${name}\n`);
  }, 30);
}
sim.host('ann', client, 'ann');
sim.host('bob', client, 'bob');

sim.check(() => {
  const writes = sim.published('writes') ?? [];
  const last = writes.length - 1;
  assert.ok(last < 1 || writes[last] >= writes[last - 1], 'an old owner has written');
});
setTimeout(() => process.exit(), 3000);
