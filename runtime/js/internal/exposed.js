'use strict';
// --expose-internals: what Node's own tests ask for by the names of Node's internal modules, made
// of our own. Names that have no counterpart here are not found, as any other.

const errors = require('internal/validators');
const { inspect } = require('internal/inspect');
const options = require('internal/options');

// The classes of errors by code: those whose words take arguments.
const codes = {
  ERR_INVALID_ARG_TYPE: from(TypeError, errors.invalidArgType),
  ERR_INVALID_ARG_VALUE: from(TypeError, errors.invalidArgValue),
  ERR_OUT_OF_RANGE: from(RangeError, errors.outOfRange),
  ERR_MISSING_ARGS: from(TypeError, errors.missingArgs),
};

function from(Base, make) {
  function Made(...args) { return make(...args); }
  Made.prototype = Base.prototype;
  return Made;
}

// E(code, words, ...bases): a class of errors of one's own.
function E(code, words, Base, ...more) {
  const message = (self, args) => {
    if (typeof words === 'function') return Reflect.apply(words, self, args);
    return require('internal/format').format(words, ...args);
  };
  const define = (Parent) => class NodeError extends Parent {
    constructor(...args) {
      super(Parent.isSystem ? args[0] : undefined, ...Parent.isSystem ? [code, words] : []);
      if (!Parent.isSystem) {
        Object.defineProperty(this, 'message', { value: message(this, args), enumerable: false,
          writable: true, configurable: true });
      }
      Object.defineProperty(this, 'toString', { value() {
        return `${this.name} [${code}]: ${this.message}`;
      }, enumerable: false, writable: true, configurable: true });
      this.code = code;
    }
  };
  codes[code] = define(Base ?? Error);
  for (const other of more) codes[code][other.name] = define(other);
}

class SystemError extends Error {
  static isSystem = true;

  constructor(context, code, prefix) {
    let text = `${prefix}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) text += ` ${context.path}`;
    if (context.dest !== undefined) text += ` => ${context.dest}`;
    super(text);
    Object.defineProperty(this, 'name',
      { value: 'SystemError', enumerable: false, writable: true, configurable: true });
    Object.defineProperty(this, 'info',
      { value: context, enumerable: true, writable: false, configurable: true });
    for (const key of ['errno', 'syscall', 'path', 'dest']) {
      if (context[key] === undefined) continue;
      Object.defineProperty(this, key, {
        enumerable: true, configurable: true, get: () => context[key],
        set(value) { context[key] = value; },
      });
    }
  }
}

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

const MODULES = {
  'internal/validators': () => ({
    ...errors, kValidateObjectAllowNullable: errors.NULLABLE,
    kValidateObjectAllowArray: errors.ARRAY, kValidateObjectAllowFunction: errors.FUNCTION,
  }),
  'internal/test/binding': () => ({
    internalBinding: require('internal/exposed/bindings').internalBinding, primordials: globalThis,
  }),
  'internal/errors': () => ({
    ...errors, codes, E, SystemError, hideStackFrames: (fn) => fn,
    aggregateTwoErrors: errors.aggregateTwo, formatList: require('internal/errors').list,
    isStackOverflowError: (error) => error?.name === 'RangeError' &&
      /call stack/.test(error.message),
    getMessage: (key, args) => `${key} ${args}`,
  }),
  'internal/util': () => ({
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
  }),
  'internal/util/inspect': () => ({
    ...require('internal/inspect'), ...require('internal/format'),
    getStringWidth: require('internal/inspect_text').width,
    stripVTControlCharacters: require('util').stripVTControlCharacters,
  }),
  'internal/options': () => ({
    getOptionValue(name) {
      const key = name.replace(/^--/, '');
      const values = options.all(key);
      return Array.isArray(values) ? values.at(-1) : values;
    },
  }),
  'internal/event_target': () => {
    const target = require('internal/event_target');
    return { ...target, kWeakHandler: Symbol('kWeak') };
  },
  'internal/fs/utils': () => {
    const { checkRemoval } = require('internal/fs_trees');
    const util = require('internal/fs_util');
    return {
      ...util, stringToFlags: util.toFlags, validateRmdirOptions: checkRemoval,
    };
  },
  'internal/timers': () => ({
    kTimeout: Symbol.for('phasor.timeout'), TIMEOUT_MAX: 2 ** 31 - 1,
    setUnrefTimeout: (work, ms) => setTimeout(work, ms).unref(),
  }),
  'internal/webstreams/adapters': () => {
    const adapters = require('internal/web_adapters');
    return {
      newReadableStreamFromStreamReadable: adapters.readableToWeb,
      newStreamReadableFromReadableStream: adapters.readableFromWeb,
      newWritableStreamFromStreamWritable: adapters.writableToWeb,
      newStreamWritableFromWritableStream: adapters.writableFromWeb,
      newReadableWritablePairFromDuplex: adapters.duplexToWeb,
      newStreamDuplexFromReadableWritablePair: adapters.duplexFromWeb,
    };
  },
  'internal/crypto/util': () => ({
    normalizeAlgorithm: require('internal/crypto/web/algorithms').normalizeAlgorithm,
    bigIntArrayToUnsignedBigInt: (bytes) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`),
  }),
  'internal/crypto/webidl': () => require('internal/crypto/web/webidl'),
  'internal/crypto/webcrypto': () => ({ ...require('internal/crypto/web/crypto'),
    CryptoKey: require('internal/crypto/web/key').CryptoKey }),
  'internal/crypto/x509': () => {
    const { X509Certificate, isX509Certificate } = require('internal/crypto/x509');
    return { X509Certificate, isX509Certificate };
  },
  'internal/test_runner/utils': () => ({
    convertStringToRegExp: require('internal/test/filter').patternOf,
  }),
  'internal/repl': () => ({ ...require('repl'), ...require('internal/prompt') }),
  'internal/readline/utils': () => {
    const { sequences } = require('internal/readline/screen');
    const CSI = (texts, ...values) => `\u001b[${String.raw(texts, ...values)}`;
    return { CSI: Object.assign(CSI, {
      kEscape: '\u001b', kClearToLineBeginning: sequences.clearBefore,
      kClearToLineEnd: sequences.clearAfter, kClearLine: sequences.clearLine,
      kClearScreenDown: sequences.clearDown }) };
  },
  'internal/webstreams/util': () => ({ kState: Symbol('kState') }),
  'internal/streams/add-abort-signal': () => ({
    addAbortSignalNoValidate: require('internal/streams/abort').addAbortSignal,
  }),
  'internal/http2/util': () => ({
    kSocket: require('internal/http2/session').kSocket,
    NghttpError: require('internal/http2/errors').NghttpError,
  }),
  'internal/assert': () => {
    function assert(value, message) {
      if (value) return;
      throw errors.withCode(Error, 'ERR_INTERNAL_ASSERTION', `${message ? `${message}\n` : ''}` +
        'This is caused by either a bug in Node.js or incorrect usage of Node.js internals.\n' +
        'Please open an issue with this stack trace at https://github.com/nodejs/node/issues\n');
    }
    assert.fail = (message) => assert(false, message);
    return assert;
  },
};
const OWN = ['internal/url', 'internal/encoding'];

const FOLDER = 'internal/exposed/';
const cache = {};

// Larger ones are files: internal/exposed/NAME is what a program sees as internal/NAME.
function inFolder(id) {
  const file = FOLDER + id.slice('internal/'.length);
  const isThere = id.startsWith('internal/') && require('internal/builtins').ids.includes(file);
  return isThere ? file : undefined;
}

function find(id) {
  const make = MODULES[id] ?? (OWN.includes(id) ? () => require(id) : undefined);
  if (make !== undefined) return () => cache[id] ??= make();
  const file = inFolder(id);
  return file && (() => require(file));
}

module.exports = { find };
