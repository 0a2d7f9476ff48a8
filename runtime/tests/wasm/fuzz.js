'use strict';
// fuzz.js FOLDER COUNT SEED: modules of the folder (files of WebAssembly, or programs with modules
// as base64) with changed bytes. What is still a module is instantiated with whatever it imports,
// and its functions are called. Nothing may crash; run it with the address sanitizer. Prints how
// many were modules.

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const [folder, count, seed] = process.argv.slice(2);
let state = Number(seed) || 1;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = (list) => list[random(list.length)];

const EDGES = [0, 1, 2, 0x0b, 0x40, 0x41, 0x6a, 0x6f, 0x70, 0x7b, 0x7c, 0x7f, 0x80, 0xfc, 0xfd,
  0xfe, 0xff];
function mutate(bytes) {
  const changed = Buffer.from(bytes);
  for (let left = 1 + random(4); left > 0; left--) {
    const at = 8 + random(Math.max(1, changed.length - 8));
    if (at >= changed.length) continue;
    if (random(3) === 0) changed[at] ^= 1 << random(8);
    else changed[at] = random(2) === 0 ? random(256) : pick(EDGES);
    if (random(8) === 0) changed.copyWithin(at, 8 + random(changed.length - 8));
  }
  return changed;
}

const VALUES = [0, 1, -1, 2 ** 31, 1.5, NaN, 1n, -1n, 2n ** 63n, null, undefined, {}, 'x'];
const call = (target) => {
  for (let tries = 0; tries < 3; tries++) {
    try {
      target(...Array.from({ length: target.length }, () => pick(VALUES)));
    } catch {
      // Any error will do.
    }
  }
};

const table = new WebAssembly.Table({ element: 'anyfunc', initial: 10 });
function importsOf(module) {
  const made = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    made[from] ??= {};
    made[from][name] = kind === 'function' ? () => pick(VALUES)
      : kind === 'memory' ? new WebAssembly.Memory({ initial: 1, maximum: 2 })
        : kind === 'table' ? table
          : pick([1, 1n, null, new WebAssembly.Global({ value: 'i32', mutable: true }, 1)]);
  }
  return made;
}

function use(bytes) {
  let module;
  try {
    module = new WebAssembly.Module(bytes);
  } catch {
    return false;
  }
  try {
    const { exports } = new WebAssembly.Instance(module, importsOf(module));
    for (const name of Object.keys(exports)) {
      const value = exports[name];
      if (typeof value === 'function') {
        call(value);
        if (random(4) === 0) table.set(random(10), value);
      } else if (value instanceof WebAssembly.Memory) {
        const view = new Uint8Array(value.buffer);
        if (random(2) === 0) value.grow(1);
        view[random(100)] = 1;
      } else if (value instanceof WebAssembly.Table) {
        for (let i = 0; i < Math.min(value.length, 4); i++) value.get(i);
      }
    }
  } catch {
    // Imports that do not fit, traps, and what was stopped.
  }
  return true;
}

function read(name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  if (name.endsWith('.wasm')) return bytes;
  const [, text] = /Buffer\.from\(([^)]*), 'base64'\)/.exec(bytes.toString());
  return Buffer.from(text.match(/'[^']*'/g).map((part) => part.slice(1, -1)).join(''), 'base64');
}

const files = fs.readdirSync(folder).filter((name) => /\.(wasm|js)$/.test(name));
let modules = 0;
for (let i = 0; i < Number(count); i++) {
  const bytes = mutate(read(pick(files)));
  try {
    if (vm.runInNewContext('use(bytes)', { use, bytes }, { timeout: 200 })) modules++;
  } catch (error) {
    if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    modules++;
  }
}
console.log(`${count} tried, ${modules} were modules`);
