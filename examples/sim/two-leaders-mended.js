'use strict';
// The mended two-leaders.js: a leader needs most of all nodes, not of those that answered; and it
// stops to lead when most of them have not confirmed what it sent within a time that is shorter
// than anybody waits before the next election.
const assert = require('assert');
const sim = require('phasor:sim');

const NAMES = ['a', 'b', 'c'];

for (const name of NAMES) {
  const peers = NAMES.filter((other) => other !== name);
  sim.host(name, `${__dirname}/nodes/election-mended.js`, { name, peers });
}

sim.check(() => {
  const leaders = NAMES.filter((name) => sim.published(`leader ${name}`));
  assert.ok(leaders.length < 2, `${leaders.join(' and ')} both lead`);
});
const lonely = NAMES[sim.random(3)];
const others = NAMES.filter((name) => name !== lonely);
setTimeout(() => sim.cut(lonely, others), 1000 + sim.random(1000));
setTimeout(() => sim.heal(lonely, others), 4000);
setTimeout(() => process.exit(), 6000);
