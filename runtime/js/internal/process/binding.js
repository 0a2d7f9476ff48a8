'use strict';
// process.binding(), which old packages use: those of Node's bindings that it gives to programs.
// Each is made of our own functions, in internal/bindings/NAME, when it is first asked for.

const builtins = require('internal/builtins');

const ALLOWED = new Set(`async_wrap buffer cares_wrap config constants contextify crypto fs
  fs_event_wrap http_parser icu inspector js_stream natives os pipe_wrap process_wrap signal_wrap
  spawn_sync stream_wrap tcp_wrap tls_wrap tty_wrap udp_wrap url util uv v8 zlib`.split(/\s+/));

// Those whose use Node warns of each time.
const WARNED = new Set(['async_wrap', 'crypto', 'http_parser', 'signal_wrap', 'url', 'v8']);

const TYPES = ['isAnyArrayBuffer', 'isArrayBuffer', 'isArrayBufferView', 'isAsyncFunction',
  'isDataView', 'isDate', 'isExternal', 'isMap', 'isMapIterator', 'isNativeError', 'isPromise',
  'isRegExp', 'isSet', 'isSetIterator', 'isTypedArray', 'isUint8Array'];

const isPending = require('internal/boot/options').isOn('pending-deprecation') === true ||
  process.env.NODE_PENDING_DEPRECATION === '1';
const made = { __proto__: null };

function withWarning(work, message, code) {
  return isPending ? require('util').deprecate(work, message, code) : work;
}

const MAKERS = {
  spawn_sync: () => require('internal/child/sync').spawnSyncBinding,
  util() {
    const { types } = require('util');
    return Object.fromEntries(TYPES.map((name) => [name, types[name]]));
  },
  uv() {
    const uv = require('internal/bindings/uv');
    return Object.assign(Object.create(Object.getPrototypeOf(uv),
      Object.getOwnPropertyDescriptors(uv)), { errname: withWarning((status) => uv.errname(status),
      "Directly calling process.binding('uv').errname(<val>) is being deprecated. " +
      'Please make sure to use util.getSystemErrorName() instead.', 'DEP0119') });
  },
  // The names of the modules; their text is not kept.
  natives: () => Object.fromEntries(
    require('module').builtinModules.map((name) => [name, ''])),
};

function find(name) {
  require('internal/process/permission').checkBinding();
  name = `${name}`;
  if (!ALLOWED.has(name)) throw new Error(`No such module: ${name}`);
  if (WARNED.has(name)) {
    process.emitWarning(`Access to process.binding('${name}') is deprecated.`,
      'DeprecationWarning', 'DEP0111');
  }
  if (made[name] !== undefined) return made[name];
  if (Object.hasOwn(MAKERS, name)) return made[name] = MAKERS[name]();
  const file = `internal/bindings/${name}`;
  if (!builtins.has(file)) throw new Error(`No such module: ${name}`);
  return made[name] = require(file);
}

module.exports = withWarning(find,
  'process.binding() is deprecated. Please use public APIs instead.', 'DEP0111');
