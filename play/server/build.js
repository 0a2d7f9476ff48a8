'use strict';
// A C program on <uv.h>, built with what notes its lines, timers and output (play/c).

const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const home = path.dirname(__dirname);

function firstOf(names, folder) {
  return names.map((name) => path.join(folder, name)).find((name) => fs.existsSync(name));
}

// The headers and the library beside this command: as it is built, or as it is installed.
function places() {
  const prefix = path.resolve(path.dirname(process.execPath), '..');
  const library = firstOf(['lib/libuv.so.1', `lib/${process.arch === 'arm64' ? 'aarch64'
    : 'x86_64'}-linux-gnu/libuv.so.1`, 'lib64/libuv.so.1'], prefix);
  return { library, include: path.join(home, 'include') };
}

function without(text, place) {
  return text.split(`${place.home}/`).join('').trim();
}

// { command } or { error }.
function buildProgram(program, place) {
  const compiler = process.env.CC ?? 'cc';
  const { library, include } = places();
  if (library === undefined) return { error: 'the library is not beside this phasor' };
  const out = path.join(place.folder, path.basename(place.file, '.c'));
  const folders = program.folder === undefined ? [] : ['-I', program.folder];
  const options = ['-std=gnu11', '-w', '-D_GNU_SOURCE', '-I', include, ...folders];
  const compile = (...more) => spawnSync(compiler, [...options, ...more],
    { encoding: 'utf8', cwd: place.home });
  // First as it is, so that errors speak of the program alone.
  const checked = compile('-fsyntax-only', path.basename(place.file));
  if (checked.error !== undefined) {
    return { error: `a C program needs a compiler, and there is no "${compiler}": ` +
      'install gcc, or name another one in CC' };
  }
  const built = checked.status !== 0 ? checked : compile('-g', '-O0', '-include',
    path.join(home, 'c', 'notes.h'), '-o', out, place.file, path.join(home, 'c', 'notes.c'),
    library, '-lpthread');
  if (built.status !== 0) return { error: without(built.stderr, place) };
  return { command: [out] };
}

module.exports = { buildProgram };
