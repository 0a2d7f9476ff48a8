'use strict';
// What every program finds on globalThis. Rarely used things load when they are first touched.

function define(name, value) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, configurable: true, enumerable: false });
}

function lazy(name, id, key = name, enumerable = false) {
  const fix = (value) => {
    Object.defineProperty(globalThis, name,
      { value, writable: true, configurable: true, enumerable });
    return value;
  };
  const get = () => fix(require(id)[key]);
  // Those that can be listed are looked at.
  if (enumerable) Object.defineProperty(get, 'name', { value: `get ${name}` });
  Object.defineProperty(globalThis, name, { configurable: true, enumerable, get, set: fix });
}

const MARK = '\u0001';
const OWN_FRAME = '\n    at captureStackTrace (node:internal/globals';

function header(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

// The frames of an error that a program's prepareStackTrace will be shown when they are asked for.
class Frames {
  constructor(sites) { this.sites = sites; }
}

// What writes the places of frames as source maps have them; undefined: nobody asked for that.
const mapping = { frames: undefined };

// The engine keeps the frames; the line above them is written when the stack is first read, and so
// is what the program makes of them.
function setupStack(Error, format) {
  const { get } = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  const define = (error, value) => Object.defineProperty(error, 'stack',
    { __proto__: null, value, writable: true, configurable: true, enumerable: false });
  const read = (error, frames) => {
    if (frames instanceof Frames) frames = format(error, frames.sites);
    if (typeof frames !== 'string' || frames[0] !== MARK) return frames;
    const text = frames.slice(1);
    return header(error) + (mapping.frames === undefined ? text : mapping.frames(text));
  };
  Object.defineProperty(Error.prototype, 'stack', {
    configurable: true,
    enumerable: false,
    get() {
      const frames = get.call(this);
      if (!(frames instanceof Frames) && (typeof frames !== 'string' || frames[0] !== MARK)) {
        return frames;
      }
      const text = read(this, frames);
      if (Object.isExtensible(this)) define(this, text);
      return text;
    },
    set(value) { define(this, value); },
  });
  const capture = Error.captureStackTrace;
  Error.captureStackTrace = function captureStackTrace(target, above) {
    capture(target, above ?? captureStackTrace);
    const { stack } = target;
    // A function that is not on the stack hides all of it; the engine shows all of it then.
    const isHidden = typeof stack === 'string' && stack.startsWith(MARK + OWN_FRAME);
    define(target, read(target, isHidden ? MARK : stack));
  };
  Object.defineProperty(Error, 'captureStackTrace', { enumerable: false });
}

function completeCallSites(Error, setPrepare) {
  let site;
  setPrepare.call(Error, (error, sites) => { site = sites[0]; });
  new Error();
  if (site) require('internal/errors/call_sites').complete(Object.getPrototypeOf(site));
}

// Error.prepareStackTrace: setting it to nothing brings our own form back. Each world of vm has an
// Error of its own.
function setupErrors(Error) {
  const descriptor = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const ours = binding('util').defaultPrepare();
  let isAsked = false; // while the program makes a stack, others have our form
  let user;
  setupStack(Error, (error, sites) => {
    if (typeof user !== 'function' || isAsked) return ours(error, sites);
    isAsked = true;
    try {
      return user.call(Error, error, require('internal/errors/call_sites').visible(sites));
    } finally {
      isAsked = false;
    }
  });
  const keep = (error, sites) => new Frames(sites);
  Object.defineProperty(Error, 'prepareStackTrace', {
    configurable: true,
    enumerable: false,
    get: () => user,
    set(value) {
      user = value;
      if (typeof value === 'function') completeCallSites(Error, descriptor.set);
      descriptor.set.call(Error, typeof value === 'function' ? keep : ours);
    },
  });
}

// The names that load a module when they are first touched, in the order in which they are defined:
// those that programs can list stand in LISTED.
const LAZY = [
  ['internal/messages/clone', 'structuredClone'],
  ['buffer', 'Buffer', 'atob', 'btoa'],
  ['internal/url/url', 'URL'],
  ['internal/url/search', 'URLSearchParams'],
  ['internal/encoding/encoding', 'TextEncoder', 'TextDecoder'],
  ['internal/events/abort', 'AbortController', 'AbortSignal'],
  ['internal/events/target', 'Event', 'EventTarget', 'CustomEvent'],
  ['internal/messages/event', 'MessageEvent'],
  ['internal/errors/dom_exception', 'DOMException'],
  ['worker_threads', 'MessageChannel', 'MessagePort'],
  ['internal/messages/broadcast_channel', 'BroadcastChannel'],
  ['perf_hooks', 'performance'],
  ['crypto', 'crypto'],
  ['internal/crypto/web/crypto', 'Crypto', 'SubtleCrypto'],
  ['internal/crypto/web/key', 'CryptoKey'],
  ['internal/intl/intl', 'Intl'],
  ['internal/wasm/wasm', 'WebAssembly'],
  ['internal/fetch/fetch', 'fetch', 'FormData', 'Headers', 'Request', 'Response'],
  ['internal/blob/blob', 'Blob', 'File'],
  ['internal/web/readable', 'ReadableStream'],
  ['internal/web/writable', 'WritableStream'],
  ['internal/web/transform', 'TransformStream'],
  ['stream/web', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader',
    'ReadableStreamDefaultController', 'ReadableByteStreamController', 'ReadableStreamBYOBRequest',
    'WritableStreamDefaultWriter', 'WritableStreamDefaultController',
    'TransformStreamDefaultController', 'CountQueuingStrategy', 'ByteLengthQueuingStrategy',
    'TextEncoderStream', 'TextDecoderStream'],
  ['internal/zlib/web_stream', 'CompressionStream', 'DecompressionStream'],
  ['perf_hooks', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure',
    'PerformanceObserver', 'PerformanceResourceTiming'],
];
const LISTED = new Set(['structuredClone', 'atob', 'btoa', 'performance', 'crypto', 'fetch']);
const KEYS = { __proto__: null, crypto: 'webcrypto' }; // names that their module knows by another

function setup() {
  setupErrors(Error);
  Object.defineProperty(globalThis, 'global',
    { value: globalThis, writable: true, configurable: true, enumerable: true });
  Object.defineProperty(globalThis, Symbol.toStringTag,
    { value: 'global', writable: false, configurable: true, enumerable: false });
  for (const name of ['dispose', 'asyncDispose']) {
    if (Symbol[name] === undefined) {
      Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`), writable: false,
        configurable: false, enumerable: false });
    }
  }
  define('process', process);
  define('console', require('internal/console/console').console);
  const timers = require('timers');
  for (const name of ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval',
    'setImmediate', 'clearImmediate']) {
    Object.defineProperty(globalThis, name,
      { value: timers[name], writable: true, configurable: true, enumerable: true });
  }
  const { queueMicrotask } = require('internal/process/process');
  Object.defineProperty(globalThis, 'queueMicrotask',
    { value: queueMicrotask, writable: true, configurable: true, enumerable: true });
  setupLazy();
  binding('locale').install(() => require('internal/intl/methods'));
}

function setupLazy() {
  for (const [id, ...names] of LAZY) {
    for (const name of names) lazy(name, id, KEYS[name] ?? name, LISTED.has(name));
  }
}

module.exports = { setup, setupErrors, lazy, mapping };
