// Main files behind links, files of WebAssembly without an extension, and programs that read files
// in their own way.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const run = (...args) => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return [stdout.trim(), /^\w*Error\b.*$/m.exec(stderr)?.[0].replaceAll(process.cwd(), 'CWD')];
};

fs.mkdirSync('typed/inner', { recursive: true });
fs.writeFileSync('typed/package.json', '{"type": "module"}');
fs.writeFileSync('typed/main.js', 'import "./beside.js"; console.log("main");');
fs.writeFileSync('typed/beside.js', 'console.log("beside");');
fs.symlinkSync('typed/main.js', 'link');
console.log(run('link'));
console.log(run('--preserve-symlinks-main', 'link')[0]);

// (module (func (export "answer") (result i32) i32.const 42))
const wasm = Buffer.from('0061736d010000000105016000017f03020100070a0106616e737765720000' +
  '0a06010400412a0b', 'hex');
fs.writeFileSync('typed/answer', wasm);
fs.writeFileSync('typed/asks.js', 'import { answer } from "./answer"; console.log(answer());');
console.log(run('--no-warnings', '--experimental-wasm-modules', 'typed/asks.js'));
console.log(run('--no-warnings', '--experimental-wasm-modules', 'typed/answer'));

const require = createRequire(path.resolve('x.js'));
fs.writeFileSync('net.mjs', 'import "http://127.0.0.1:9/x.js";');
try {
  require('./net.mjs');
} catch (error) {
  console.log(error.code);
}
try {
  await import('file://elsewhere.example/x.js');
} catch (error) {
  console.log(error.code, error.input, path.basename(error.module));
}
for (const text of ['"open', '{"a":"b', '-', '01', '["é😀"]x']) {
  try {
    JSON.parse(text);
  } catch (error) {
    console.log(error.message);
  }
}
