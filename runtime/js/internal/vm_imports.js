'use strict';
// import() in scripts that vm has compiled: who they ask is found by a number in their name.

const { withCode } = require('internal/errors');

let last = 0;
const callbacks = new Map(); // number -> { callback }

// A name for a script whose imports are answered by the callback.
function named(file, callback) {
  callbacks.set(++last, { callback });
  return `${file}\x01${last}`;
}

function missing() {
  return withCode(TypeError, 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING',
    'A dynamic import callback was not specified.');
}

function missingFlag() {
  return withCode(TypeError, 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG',
    'A dynamic import callback was invoked without --experimental-vm-modules');
}

// An address for what is to be imported; undefined if the default loader is to find it.
function resolve(id) {
  const found = id === undefined ? undefined : callbacks.get(Number(id));
  if (found === undefined) throw missing();
  const { callback } = found;
  if (callback === 'default') return undefined;
  throw callback === undefined ? missing() : missingFlag();
}

module.exports = { named, resolve };
