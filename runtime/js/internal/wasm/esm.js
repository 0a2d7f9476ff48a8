'use strict';
// Files of WebAssembly as ES modules (--experimental-wasm-modules): a module in JavaScript stands
// for each, which imports what the file imports and exports what it exports.

const waiting = new Map(); // the compiled ones, by address
let isTold = false;

function tell() {
  if (isTold) return;
  isTold = true;
  process.emitWarning(
    'Importing WebAssembly modules is an experimental feature and might change at any time',
    'ExperimentalWarning');
}

function sourceOf(address, bytes) {
  const { WebAssembly: { Module } } = require('internal/wasm/wasm');
  tell();
  const module = new Module(bytes);
  waiting.set(address, module);
  const from = [...new Set(Module.imports(module).map((one) => one.module))];
  const names = Module.exports(module).map(({ name }) => name);
  return [
    ...from.map((name, i) => `import * as from${i} from ${JSON.stringify(name)};`),
    `const exports = import.meta.instantiate({ __proto__: null, ${
      from.map((name, i) => `[${JSON.stringify(name)}]: from${i}`).join(', ')} });`,
    ...names.map((name, i) => `const value${i} = exports[${JSON.stringify(name)}];`),
    `export { ${names.map((name, i) => `value${i} as ${JSON.stringify(name)}`).join(', ')} };`,
  ].join('\n');
}

// Only the module that stands for the file can see it.
function fillMeta(meta, address) {
  const module = waiting.get(address);
  if (module === undefined) return false;
  waiting.delete(address);
  const { WebAssembly: { Instance } } = require('internal/wasm/wasm');
  meta.instantiate = (imports) => new Instance(module, imports).exports;
  return true;
}

module.exports = { sourceOf, fillMeta };
