'use strict';
// The mended two-leaders.js: a leader needs most of all nodes, not of those that answered, and who
// gives a vote gives one for each term. A leader also stops when most of the others have not
// confirmed what it sent for a while; but a host may stand still just then, so what it does must
// carry its term, by which others know an old leader.
const assert = require('assert');
const sim = require('phasor:sim');

const NAMES = ['a', 'b', 'c'];

for (const name of NAMES) {
  const peers = NAMES.filter((other) => other !== name);
  sim.host(name, `${__dirname}/nodes/election-mended.js`, { name, peers });
}

const leaders = new Map(); // term → who leads in it
sim.check(() => {
  for (const name of NAMES) {
    const term = sim.published(`leader ${name}`);
    if (!term) continue;
    const other = leaders.get(term) ?? name;
    leaders.set(term, other);
    assert.strictEqual(name, other, `${name} and ${other} both lead in term ${term}`);
  }
});
const lonely = NAMES[sim.random(3)];
const others = NAMES.filter((name) => name !== lonely);
setTimeout(() => sim.cut(lonely, others), 1000 + sim.random(1000));
setTimeout(() => sim.heal(lonely, others), 4000);
setTimeout(() => process.exit(), 6000);
