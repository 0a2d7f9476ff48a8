'use strict';
// The mended lost-update.js: a write says which version it is based on, and the server refuses one
// that is not the newest; the client reads again. Who gets no answer asks again, with the same
// number, and the server does nothing twice.
const assert = require('assert');
const sim = require('phasor:sim');

sim.host('server', () => {
  const http = require('http');
  const sim = require('phasor:sim');
  let counter = 0;
  let version = 0;
  const done = new Set();
  http.createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('etag', String(version));
      response.end(String(counter));
      return;
    }
    let body = '';
    request.on('data', (chunk) => { body += chunk; }).on('end', () => {
      if (done.has(request.headers.operation)) {
        response.statusCode = 200;
      } else if (request.headers['if-match'] !== String(version)) {
        response.statusCode = 412;
      } else {
        done.add(request.headers.operation);
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
  const operation = require('crypto').randomUUID();
  async function ask(options) {
    for (;;) {
      try {
        const signal = AbortSignal.timeout(3000);
        const answer = await fetch('http://server/', { ...options, signal });
        const text = await answer.text();
        return { status: answer.status, tag: answer.headers.get('etag'), text };
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
  async function add() {
    const read = await ask();
    const wrote = await ask({
      method: 'PUT', body: String(Number(read.text) + 1),
      headers: { 'if-match': read.tag, operation },
    });
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
