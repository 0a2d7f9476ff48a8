'use strict';
// The mended torn-log.js: each record has a checksum, and the log ends before the first wrong one.
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const sim = require('phasor:sim');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-records-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const writer = sim.host('writer', (log) => {
  const fs = require('fs');
  const sum = (text) => require('crypto').createHash('sha1').update(text).digest('hex');
  let number = 0;
  function begin(file) {
    setInterval(() => {
      const record = `record ${++number} ${'x'.repeat(number * 37 % 300)} end`;
      fs.write(file, `${sum(record)} ${record}\n`, () => {
        if (number % 10 === 0) fs.fsync(file, () => {});
      });
    }, 5);
  }
  (function open() {
    try {
      begin(fs.openSync(log, 'a'));
    } catch {
      setTimeout(open, 10); // the disk is full
    }
  })();
}, path.join(folder, 'log'));

const sum = (text) => require('crypto').createHash('sha1').update(text).digest('hex');

// What the next start reads.
function recover(text) {
  const records = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const record = line.slice(41);
    if (line.slice(0, 40) !== sum(record)) break;
    records.push(record);
  }
  return records;
}

setTimeout(async () => {
  await writer.crash();
  const log = path.join(folder, 'log');
  const records = fs.existsSync(log) ? recover(fs.readFileSync(log, 'utf8')) : [];
  for (const record of records) assert.match(record, /^record \d+ x* end$/);
  process.exit();
}, 100 + sim.random(400));
