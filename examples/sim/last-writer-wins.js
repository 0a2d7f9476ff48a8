'use strict';
// The newest write wins, by the writers' calendars. But clocks differ: who writes last may have
// the slower one, and its write is lost.
//
//   phasor sim --seeds 1000 last-writer-wins.js
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('store', () => {
  const sim = require('phasor:sim');
  let value = '';
  let stamp = 0;
  require('http').createServer((request, response) => {
    const url = new URL(request.url, 'http://store');
    const sent = Number(url.searchParams.get('stamp'));
    if (url.pathname === '/set' && sent > stamp) {
      value = url.searchParams.get('value');
      stamp = sent;
      sim.publish('value', value);
    }
    response.end(String(stamp));
  }).listen(80);
});

// First ann, then bob, who has seen what ann wrote.
function client(value) {
  const sim = require('phasor:sim');
  async function set() {
    try {
      const signal = AbortSignal.timeout(2000);
      const stamp = Date.now();
      await fetch(`http://store/set?value=${value}&stamp=${stamp}`, { signal });
      sim.publish(value, true);
    } catch {
      setTimeout(set, 100);
    }
  }
  (function wait() {
    if (value === 'ann' || sim.published('ann')) set();
    else setTimeout(wait, 50);
  })();
}
sim.host('ann', client, 'ann');
sim.host('bob', client, 'bob');

sim.until(() => sim.published('bob')).then(() => {
  assert.strictEqual(sim.published('value'), 'bob', 'what was written last is lost');
  process.exit();
});
