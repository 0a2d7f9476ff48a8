'use strict';
// A program's folder of its own, and the command that runs it there.

const fs = require('fs');
const os = require('os');
const path = require('path');

// 'js', 'c' or undefined.
function languageOf(file) {
  if (/\.(js|mjs|cjs)$/.test(file)) return 'js';
  return file.endsWith('.c') ? 'c' : undefined;
}

// A folder for one run: home/ is the program's, the rest is ours.
function makeFolder({ source, name }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'phasor-play-'));
  const home = path.join(folder, 'home');
  fs.mkdirSync(home);
  const file = path.join(home, path.basename(name));
  fs.writeFileSync(file, source);
  return { folder, home, file, notes: path.join(folder, 'notes'),
    recording: path.join(folder, 'recording'), output: path.join(folder, 'output') };
}

function removeFolder({ folder }) {
  fs.rmSync(folder, { recursive: true, force: true });
}

// What the program may do: read and write below its folder, start threads; nothing else.
function scriptCommand({ home, file }) {
  return [process.execPath, '--experimental-permission', `--allow-fs-read=${home}`,
    `--allow-fs-write=${home}`, '--allow-worker', '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning', file];
}

// The environment says nothing of whoever plays.
function environment(place, more) {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: place.home, TMPDIR: place.home,
    LANG: 'C.UTF-8', TZ: 'UTC', ...more };
}

module.exports = { languageOf, makeFolder, removeFolder, scriptCommand, environment };
