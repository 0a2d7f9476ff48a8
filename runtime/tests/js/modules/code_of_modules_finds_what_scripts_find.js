'use strict';
// `-e` with modules: built-in modules have their names there, too. A file without an extension in a
// package of modules is WebAssembly if its first bytes say so.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modules-'));
const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', ...args],
    { cwd: folder, encoding: 'latin1' });
  console.log(status, stdout.trim(), /\w*Error: [\w ]*/.exec(stderr)?.[0]);
};
run('--input-type=module', '-e',
  "console.log(os.EOL.length, typeof path.join, fs === (await import('fs')).default)");
run('-e', "import 'os'; console.log(typeof util.inspect)");
run('--input-type=module', '-e', 'console.log(typeof require)');

fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}');
// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
fs.writeFileSync(path.join(folder, 'wasm'), Buffer.from(
  '0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b', 'hex'));
fs.writeFileSync(path.join(folder, 'script'), 'console.log(import.meta.url !== undefined)');
run('--experimental-wasm-modules', 'wasm');
run('--experimental-wasm-modules', 'script');
run('--experimental-wasm-modules', '--input-type=module', '-e',
  "import { add } from './wasm'; console.log(add(2, 3))");
fs.rmSync(folder, { recursive: true });
