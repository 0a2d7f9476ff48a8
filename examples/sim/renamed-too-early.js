'use strict';
// A new version is written beside the old one and renamed over it, so that there is always a
// whole one. But the name may reach the disk before the bytes do: after a crash the file is empty.
//
//   phasor sim --seeds 1000 renamed-too-early.js
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
    fs.writeFileSync(`${file}.new`, text);
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
