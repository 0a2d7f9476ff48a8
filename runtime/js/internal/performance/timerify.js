'use strict';
// performance.timerify: a function whose calls are measured; one that gives a promise, until that
// is settled.

const native = binding('process');
const { KEY, add, isObserved } = require('internal/performance/entry');
const PerformanceNodeEntry = require('internal/performance/node_entry');
const { invalidArgType } = require('internal/errors/errors');
const { validateFunction, validateObject } = require('internal/errors/validators');

function finish(name, start, args, histogram) {
  const end = native.uptime() * 1000;
  const duration = end - start;
  if (histogram !== undefined) histogram.record(Math.max(1, Math.ceil(duration * 1e6)));
  if (!isObserved('function')) return;
  const entry = new PerformanceNodeEntry(KEY,
    { name, entryType: 'function', startTime: start, duration, detail: args });
  args.forEach((value, i) => { entry[i] = value; });
  add(entry);
}

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && (histogram === null || typeof histogram !== 'object' ||
      typeof histogram.record !== 'function')) {
    throw invalidArgType('options.histogram', 'RecordableHistogram', histogram);
  }
  function timerified(...args) {
    const start = native.uptime() * 1000;
    const result = new.target ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
    if (!new.target && typeof result?.finally === 'function') {
      return result.finally(() => finish(fn.name, start, args, histogram));
    }
    finish(fn.name, start, args, histogram);
    return result;
  }
  Object.defineProperties(timerified, {
    length: { configurable: false, enumerable: true, value: fn.length },
    name: { configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

module.exports = { timerify };
