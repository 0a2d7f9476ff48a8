'use strict';
// The mended full-disk.js: the new version is written beside the old one, and takes its place when
// it is whole.
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

sim.check(() => {
  if (owner.up) assert.match(fs.readFileSync(settings, 'utf8'), /^\{"version":\d+\}$/);
});
setTimeout(() => process.exit(), 600);
