'use strict';
// Node's name internal/util.

const errors = require('internal/validators');
const { inspect } = require('internal/inspect');

class WeakReference {
  #ref;
  #strong;
  #count = 0;

  constructor(object) { this.#ref = new WeakRef(object); }

  incRef() {
    if (++this.#count === 1) this.#strong = this.#ref.deref();
    return this.#count;
  }

  decRef() {
    if (--this.#count === 0) this.#strong = undefined;
    return this.#count;
  }

  get() { return this.#strong ?? this.#ref.deref(); }
}

function filterOwnProperties(source, keys) {
  const out = {};
  for (const key of keys) if (Object.hasOwn(source, key)) out[key] = source[key];
  return out;
}

const experimental = new Set();

module.exports = {
  ...require('util'), WeakReference, filterOwnProperties,
  customInspectSymbol: inspect.custom,
  customPromisifyArgs: require('util').promisify.args,
  isError: (value) => binding('util').isError(value) || value instanceof Error,
  kEmptyObject: Object.freeze({ __proto__: null }),
  kEnumerableProperty: Object.assign({ __proto__: null }, { enumerable: true }),
  emitExperimentalWarning(feature) {
    if (experimental.has(feature)) return;
    experimental.add(feature);
    process.emitWarning(`${feature} is an experimental feature and might change at any time`,
      'ExperimentalWarning');
  },
  sleep(ms) {
    errors.validateUint32(ms, 'msec');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  normalizeEncoding: (name) => require('internal/encoding').normalize?.(name),
};
