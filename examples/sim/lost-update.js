'use strict';
// Two clients add to one counter on a server: each reads it, adds one, and writes it back. Between
// the reading and the writing of one, the other may have written: its update is lost.
//
//   phasor sim --seeds 1000 lost-update.js        finds a world where 1 + 1 is 1
//   phasor sim --seeds 1000 lost-update-mended.js finds none
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  const http = require('http');
  const sim = require('phasor:sim');
  let counter = 0;
  http.createServer((request, response) => {
    if (request.method === 'GET') {
      response.end(String(counter));
      return;
    }
    let body = '';
    request.on('data', (chunk) => { body += chunk; }).on('end', () => {
      counter = Number(body);
      sim.publish('counter', counter);
      response.end();
    });
  }).listen(80);
});

function client() {
  const sim = require('phasor:sim');
  async function add() {
    const counter = Number(await (await fetch('http://server/')).text());
    await (await fetch('http://server/', { method: 'PUT', body: String(counter + 1) })).text();
    sim.publish(require('os').hostname(), 'done');
  }
  setTimeout(add, 10 + sim.random(10));
}

sim.host('ann', client);
sim.host('bob', client);

sim.until(() => sim.published('ann') === 'done' && sim.published('bob') === 'done').then(() => {
  assert.strictEqual(sim.published('counter'), 2);
  process.exit();
});
