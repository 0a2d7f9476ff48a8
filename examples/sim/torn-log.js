'use strict';
// A log is read after a crash: a last line without its end is dropped, all others are believed.
// But a disk writes pages and sectors in an order of its own, and zeros stand for what is missing.
//
//   phasor sim --seeds 1000 torn-log.js
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const sim = require('phasor:sim');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-records-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const writer = sim.host('writer', (log) => {
  const fs = require('fs');
  const file = fs.openSync(log, 'a');
  let number = 0;
  setInterval(() => {
    const record = `record ${++number} ${'x'.repeat(number * 37 % 300)} end`;
    fs.write(file, `${record}\n`, () => {
      if (number % 10 === 0) fs.fsync(file, () => {});
    });
  }, 5);
}, path.join(folder, 'log'));

// What the next start reads.
function recover(text) {
  return text.split('\n').slice(0, -1);
}

setTimeout(async () => {
  await writer.crash();
  const log = path.join(folder, 'log');
  const records = fs.existsSync(log) ? recover(fs.readFileSync(log, 'utf8')) : [];
  for (const record of records) assert.match(record, /^record \d+ x* end$/);
  process.exit();
}, 100 + sim.random(400));
