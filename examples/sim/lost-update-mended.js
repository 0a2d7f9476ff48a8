'use strict';
// The mended lost-update.js: a write says which version it is based on, and the server refuses one
// that is not the newest; the client reads again.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  const http = require('http');
  const sim = require('phasor:sim');
  let counter = 0;
  let version = 0;
  http.createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('etag', String(version));
      response.end(String(counter));
      return;
    }
    let body = '';
    request.on('data', (chunk) => { body += chunk; }).on('end', () => {
      if (request.headers['if-match'] !== String(version)) {
        response.statusCode = 412;
      } else {
        counter = Number(body);
        version++;
        sim.publish('counter', counter);
      }
      response.end();
    });
  }).listen(80);
});

function client() {
  const sim = require('phasor:sim');
  async function add() {
    const read = await fetch('http://server/');
    const counter = Number(await read.text());
    const wrote = await fetch('http://server/', {
      method: 'PUT', body: String(counter + 1), headers: { 'if-match': read.headers.get('etag') },
    });
    await wrote.text();
    if (wrote.status === 412) add();
    else sim.publish(require('os').hostname(), 'done');
  }
  setTimeout(add, 10 + sim.random(10));
}

sim.host('ann', client);
sim.host('bob', client);

sim.until(() => sim.published('ann') === 'done' && sim.published('bob') === 'done').then(() => {
  assert.strictEqual(sim.published('counter'), 2);
  process.exit();
});
