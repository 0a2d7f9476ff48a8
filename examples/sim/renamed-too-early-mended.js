'use strict';
// The mended renamed-too-early.js: the bytes are synced before the name changes.
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const sim = require('phasor:sim');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-settings-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const settings = path.join(folder, 'settings');
fs.writeFileSync(settings, JSON.stringify({ version: 0 }));

const owner = sim.host('owner', (file) => {
  const fs = require('fs');
  let version = 0;
  function save(text) {
    const fd = fs.openSync(`${file}.new`, 'w');
    try {
      fs.writeSync(fd, text);
      fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    fs.renameSync(`${file}.new`, file);
  }
  setInterval(() => {
    try {
      save(JSON.stringify({ version: ++version }));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }, 10);
}, settings);

setTimeout(async () => {
  await owner.crash();
  assert.match(fs.readFileSync(settings, 'utf8'), /^\{"version":\d+\}$/);
  process.exit();
}, 100 + sim.random(500));
