'use strict';
const timers = require('timers');
const { AbortError, invalidArgType, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateObject } =
  require('internal/errors/validators');

function check(options) {
  validateObject(options, 'options');
  const { signal, ref = true } = options;
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  return { signal, ref };
}

function wait(start, clear, value, options) {
  let checked;
  try {
    checked = check(options);
  } catch (error) {
    return Promise.reject(error);
  }
  const { signal, ref } = checked;
  if (signal && signal.aborted) {
    return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  }
  let onAbort;
  const promise = new Promise((resolve, reject) => {
    const timer = start(() => resolve(value));
    if (!ref) timer.unref();
    onAbort = () => {
      clear(timer);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal) signal.addEventListener('abort', onAbort, { once: true });
  });
  if (!signal) return promise;
  // As many turns of promises as in Node.
  const forget = () => signal.removeEventListener('abort', onAbort);
  return new Promise((resolve, reject) => {
    new Promise((kept, failed) => { promise.then(kept, failed); }).finally(forget)
      .then(resolve, reject);
  });
}

function setTimeout(delay, value, options = {}) {
  if (delay !== undefined && typeof delay !== 'number') {
    return Promise.reject(invalidArgType('delay', 'number', delay));
  }
  return wait((done) => timers.setTimeout(done, delay), timers.clearTimeout, value, options);
}

function setImmediate(value, options = {}) {
  return wait((done) => timers.setImmediate(done), timers.clearImmediate, value, options);
}

async function* setInterval(delay, value, options = {}) {
  const { signal, ref } = check(options);
  if (signal && signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
  let due = 0;
  let wake;
  const onAbort = () => {
    timers.clearInterval(timer);
    if (wake) wake(Promise.reject(new AbortError(undefined, { cause: signal.reason })));
    wake = undefined;
  };
  const timer = timers.setInterval(() => {
    due++;
    if (wake) {
      wake();
      wake = undefined;
    }
  }, delay);
  if (!ref) timer.unref();
  if (signal) signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (signal && signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      if (due === 0) {
        await new Promise((resolve) => { wake = resolve; });
      }
      for (; due > 0; due--) yield value;
    }
  } finally {
    timers.clearInterval(timer);
    if (signal) signal.removeEventListener('abort', onAbort);
  }
}

class Scheduler {
  constructor() { throw withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'); }

  wait(delay, options) { return setTimeout(delay, undefined, options); }

  yield() { return setImmediate(); }
}
const scheduler = Object.create(Scheduler.prototype);
module.exports = { setTimeout, setImmediate, setInterval, scheduler };
