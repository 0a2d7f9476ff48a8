'use strict';
// What internalBinding() of --expose-internals finds: the names of Node's bindings, made of ours.
// Larger ones are files: internal/exposed/bindings/NAME. Each is made once, when first asked for.

const errors = require('internal/errors/errors');

const BINDINGS = {
  uv() {
    const names = require('internal/errors/uv').all();
    const found = {};
    for (const [status, [name]] of names) {
      Object.defineProperty(found, `UV_${name}`, { value: status, enumerable: true });
    }
    found.errname = (status) => binding('process').errorName(status);
    found.getErrorMap = () => names;
    return found;
  },
  constants: () => ({
    __proto__: null, os: require('os').constants, fs: require('fs').constants,
    zlib: require('zlib').constants,
    crypto: require('internal/crypto/constants'),
    trace: { __proto__: null, TRACE_EVENT_PHASE_BEGIN: 66, TRACE_EVENT_PHASE_END: 69,
      TRACE_EVENT_PHASE_NESTABLE_ASYNC_BEGIN: 98, TRACE_EVENT_PHASE_NESTABLE_ASYNC_END: 101,
      TRACE_EVENT_PHASE_NESTABLE_ASYNC_INSTANT: 110, TRACE_EVENT_PHASE_COUNTER: 67 },
  }),
  heap_utils: () => ({ buildEmbedderGraph: () => [] }),
  timers: () => ({ getLibuvNow: () => Math.floor(performance.now()) }),
  config: () => ({ hasOpenSSL: process.versions.openssl !== undefined, fipsMode: false,
    hasIntl: true, hasInspector: false }),
  trace_events: () => ({ trace: require('internal/trace/events').trace,
    isTraceCategoryEnabled: require('internal/trace/events').isOn,
    getCategoryEnabledBuffer: require('internal/trace/events').flagOf }),
  worker: () => ({ getEnvMessagePort: () => require('internal/worker/worker').control() }),
  credentials: () => ({
    safeGetenv: (name) => (binding('process').isSecure() ? undefined : process.env[name]) }),
  buffer: () => ({
    ...binding('buffer'), kMaxLength: require('buffer').kMaxLength,
    kStringMaxLength: require('buffer').kStringMaxLength,
    fill(buffer, value, start, end, encoding) {
      for (const [name, place] of Object.entries({ start, end })) {
        if (place < 0 || place > buffer.length) {
          throw errors.outOfRange(name, `>= 0 && <= ${buffer.length}`, place);
        }
      }
      return Buffer.prototype.fill.call(buffer, value, start, end, encoding);
    },
  }),
  crypto: () => ({ ScryptJob: function ScryptJob() {}, testFipsCrypto: () => 0,
    SecureContext: require('internal/tls/context').NativeContext }),
};

const made = { __proto__: null };

function internalBinding(name) {
  if (made[name] !== undefined) return made[name];
  const file = `internal/exposed/bindings/${name}`;
  if (require('internal/builtins').has(file)) return made[name] = require(file);
  if (!Object.hasOwn(BINDINGS, name)) {
    throw errors.withCode(Error, 'ERR_INVALID_MODULE', `No such binding: ${name}`);
  }
  return made[name] = BINDINGS[name]();
}

module.exports = { internalBinding };
