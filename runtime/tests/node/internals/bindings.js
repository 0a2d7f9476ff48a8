'use strict';
// What internalBinding() finds: process.binding()'s, those of bindings/, and these. Each is made
// once, when first asked for.

const { withCode } = require('internal/errors/errors');
const builtins = require('internal/builtins');

const BINDINGS = {
  heap_utils: () => ({ buildEmbedderGraph: () => [] }),
  timers: () => ({ getLibuvNow: () => Math.floor(performance.now()) }),
  trace_events: () => ({ trace: require('internal/trace/events').trace,
    isTraceCategoryEnabled: require('internal/trace/events').isOn,
    getCategoryEnabledBuffer: require('internal/trace/events').flagOf }),
  worker: () => ({ getEnvMessagePort: () => require('internal/worker/worker').control() }),
  credentials: () => ({
    safeGetenv: (name) => (binding('process').isSecure() ? undefined : process.env[name]) }),
  block_list: () => require('exposed/bindings/block_list'),
  performance: () => require('exposed/bindings/performance'),
  util: () => require('exposed/bindings/util'),
};

const made = { __proto__: null };

function internalBinding(name) {
  if (made[name] !== undefined) return made[name];
  if (Object.hasOwn(BINDINGS, name)) return made[name] = BINDINGS[name]();
  const file = `internal/bindings/${name}`;
  if (builtins.has(file)) return made[name] = require(file);
  throw withCode(Error, 'ERR_INVALID_MODULE', `No such binding: ${name}`);
}

module.exports = { internalBinding };
