'use strict';
// What every program finds on globalThis. Rarely used things load when they are first touched.

const { setupErrors } = require('internal/errors/stacks');

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
  ['perf_hooks', 'Performance', 'PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure',
    'PerformanceObserver', 'PerformanceObserverEntryList', 'PerformanceResourceTiming'],
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

module.exports = { setup, lazy };
