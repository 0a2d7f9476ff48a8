'use strict';
// Node's name internal/util.

const errors = require('internal/errors/errors');
const { inspect } = require('internal/inspect/inspect');

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
  const out = { __proto__: null };
  for (const key of keys) if (Object.hasOwn(source, key)) out[key] = source[key];
  return out;
}

// Buffer's name of an encoding; nothing stands for utf8.
function normalizeEncoding(name) {
  if (name === undefined || name === null || name === '') return 'utf8';
  if (typeof name !== 'string') return undefined;
  const lower = name.toLowerCase();
  const found = { 'utf-8': 'utf8', ucs2: 'utf16le', 'ucs-2': 'utf16le', 'utf-16le': 'utf16le',
    binary: 'latin1' }[lower] ?? lower;
  return Buffer.isEncoding(found) ? found : undefined;
}

function assertCrypto() {
  if (process.versions.openssl) return;
  throw errors.withCode(Error, 'ERR_NO_CRYPTO',
    'Node.js is not compiled with OpenSSL crypto support');
}

// A class that may be called without "new".
function createClassWrapper(Class) {
  function Wrapper(...args) { return Reflect.construct(Class, args, new.target || Class); }
  for (const key of ['name', 'length']) {
    Object.defineProperty(Wrapper, key, { value: Class[key], configurable: true });
  }
  Object.setPrototypeOf(Wrapper, Class);
  Wrapper.prototype = Class.prototype;
  return Wrapper;
}

// The line of source that an error came from, in front of its stack: once.
function decorateErrorStack(error) {
  if (!binding('util').isError(error)) return;
  const { privateSymbols } = require('exposed/bindings').internalBinding('util');
  const { arrow_message_private_symbol: arrow, decorated_private_symbol: decorated } =
    privateSymbols;
  if (error[decorated] || !error[arrow] || !error.stack) return;
  error.stack = error[arrow] + error.stack;
  error[decorated] = true;
}

const experimental = new Set();

module.exports = {
  ...require('util'), WeakReference, filterOwnProperties,
  customInspectSymbol: inspect.custom,
  customPromisifyArgs: require('util').promisify.args,
  isError: (value) => binding('util').isError(value) || value instanceof Error,
  kEmptyObject: Object.freeze({ __proto__: null }),
  kEnumerableProperty: Object.freeze(Object.assign({ __proto__: null }, { enumerable: true })),
  ...require('exposed/regexps'),
  emitExperimentalWarning(feature) {
    if (experimental.has(feature)) return;
    experimental.add(feature);
    process.emitWarning(`${feature} is an experimental feature and might change at any time`,
      'ExperimentalWarning');
  },
  sleep(ms) {
    require('internal/errors/validators').validateUint32(ms, 'msec');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
  normalizeEncoding, assertCrypto, createClassWrapper, decorateErrorStack,
  getSystemErrorName: require('util').getSystemErrorName,
};
