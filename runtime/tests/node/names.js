'use strict';
// Prints every public name of the runtime that runs it: globals, modules, what they hold, and the
// members of their classes and instances. runtime/tests/node/names.py compares two of these lists.

const { builtinModules } = require('module');
const out = new Set();
const DEPTH = 3;

function isPublic(name) {
  return typeof name === 'string' && !/^_/.test(name) && !/^\d+$/.test(name) &&
    !['prototype', 'constructor', 'length', 'name', 'caller', 'arguments'].includes(name);
}

function membersOf(value) {
  try {
    return Object.getOwnPropertyNames(value).filter(isPublic);
  } catch {
    return [];
  }
}

function valueOf(holder, name) {
  const descriptor = Object.getOwnPropertyDescriptor(holder, name);
  if (descriptor === undefined) return undefined;
  if ('value' in descriptor) return descriptor.value;
  try {
    return holder[name];
  } catch {
    return undefined;
  }
}

function walk(value, path, seen, depth) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
  if (seen.has(value) || depth > DEPTH) return;
  seen.add(value);
  for (const name of membersOf(value)) {
    out.add(`${path}.${name}`);
    walk(valueOf(value, name), `${path}.${name}`, seen, depth + 1);
  }
  if (typeof value === 'function' && value.prototype) {
    for (const name of membersOf(value.prototype)) out.add(`${path}.prototype.${name}`);
  }
}

process.removeAllListeners('warning');
process.on('warning', () => {});
// What the language itself has is the engine's own matter.
const LANGUAGE = new Set(['Object', 'Function', 'Array', 'Number', 'parseFloat', 'parseInt',
  'Infinity', 'NaN', 'undefined', 'Boolean', 'String', 'Symbol', 'Date', 'Promise', 'RegExp',
  'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError',
  'TypeError', 'URIError', 'globalThis', 'JSON', 'Math', 'Intl', 'ArrayBuffer', 'Atomics',
  'Uint8Array', 'Int8Array', 'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array',
  'Float32Array', 'Float64Array', 'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array',
  'DataView', 'Map', 'BigInt', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Proxy', 'Reflect',
  'FinalizationRegistry', 'SharedArrayBuffer', 'Iterator', 'Float16Array', 'escape', 'unescape',
  'eval', 'isFinite', 'isNaN', 'decodeURI', 'decodeURIComponent', 'encodeURI',
  'encodeURIComponent', 'DisposableStack', 'AsyncDisposableStack', 'SuppressedError',
  'InternalError', 'Bun', 'Deno', 'global', 'process', 'require', 'exports', 'module']);
const shared = new Set([Object, Function, Array, Object.prototype, Function.prototype]);
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (!isPublic(name) || LANGUAGE.has(name)) continue;
  out.add(name);
  if (name !== 'console') walk(valueOf(globalThis, name), name, new Set(shared), 1);
}
walk(console, 'console', new Set(shared), 2);
for (const id of builtinModules) {
  if (/^(_|v8\/|trace_events|node:)/.test(id) && !id.startsWith('_http')) continue;
  let found;
  try {
    found = require(id);
  } catch {
    continue;
  }
  out.add(id);
  walk(found, id, new Set([...shared, process, globalThis]), id === 'process' ? 0 : 1);
  if (id === 'process') {
    shared.delete(process);
    walk(process, 'process', new Set([...shared, process.env, process.config, process.release,
      process.versions, process.mainModule, process.stdout, process.stdin, process.stderr,
      process.report]), 2);
  }
}
console.log([...out].sort().join('\n'));
