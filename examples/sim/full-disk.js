'use strict';
// A file is written in place: where the disk is full, the old version is gone and the new one
// is not there.
//
//   phasor sim --seeds 1000 full-disk.js
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
    fs.writeFileSync(file, text);
  }
  setInterval(() => {
    try {
      save(JSON.stringify({ version: ++version }));
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    }
  }, 10);
}, settings);

sim.check(() => {
  if (owner.up) assert.match(fs.readFileSync(settings, 'utf8'), /^\{"version":\d+\}$/);
});
setTimeout(() => process.exit(), 600);
