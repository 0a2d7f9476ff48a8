'use strict';
// Three nodes elect a leader. Who hears nothing from the leader for a while asks the others for
// their votes, and leads if most of those that answered agree. When the network falls apart, each
// part finds a majority of itself: there are two leaders in one term.
//
//   phasor sim --seeds 1000 two-leaders.js
const assert = require('assert');
const sim = require('phasor:sim');

const NAMES = ['a', 'b', 'c'];

for (const name of NAMES) {
  const peers = NAMES.filter((other) => other !== name);
  sim.host(name, `${__dirname}/nodes/election.js`, { name, peers });
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
