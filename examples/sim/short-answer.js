'use strict';
// A report of twenty rows is read until its connection closes. But it closes too when the server,
// or the way to it, breaks in the middle: then what has come so far is taken for all of it.
//
//   phasor sim --seeds 1000 short-answer.js        finds a report with a part of its rows
//   phasor sim --seeds 1000 short-answer-mended.js finds none
const assert = require('assert');
const sim = require('phasor:sim');

const ROWS = 20;

sim.host('server', (rows) => {
  require('http').createServer((request, response) => {
    let row = 0;
    const writing = setInterval(() => {
      response.write(`row ${row}\n`);
      if (++row < rows) return;
      clearInterval(writing);
      response.end();
    }, 3);
    response.on('close', () => clearInterval(writing));
  }).listen(80);
}, ROWS);

sim.host('client', () => {
  const http = require('http');
  const sim = require('phasor:sim');
  function broken() { sim.publish('rows', 'broken'); }
  setTimeout(() => {
    const request = http.get('http://server/', (response) => {
      let text = '';
      response.on('data', (chunk) => { text += chunk; }).on('error', () => {});
      response.on('close', () => { sim.publish('rows', text.split('\n').length - 1); });
    });
    request.on('error', broken).setTimeout(60_000, () => request.destroy());
  }, 20);
});

sim.until(() => sim.published('rows') !== undefined, { limit: 3600_000 }).then(() => {
  const rows = sim.published('rows');
  if (rows !== 'broken') assert.strictEqual(rows, ROWS);
  process.exit();
});
