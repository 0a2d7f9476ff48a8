'use strict';
// Preloaded into Node by `phasor trace --async`: says who puts off which timer and immediate, and
// which one runs. Node knows that in JavaScript alone. Promises are not asked about: their jobs run
// in the callbacks that settle them.
const { createHook, executionAsyncResource } = require('async_hooks');
const { writeSync } = require('fs');
const { join } = require('path');

function follow({ made, runs, ends, name }) {
  const timer = setTimeout(() => {}, 1);
  const immediate = setImmediate(() => {});
  const timers = Object.getPrototypeOf(timer);
  const immediates = Object.getPrototypeOf(immediate);
  clearTimeout(timer);
  clearImmediate(immediate);

  const names = new WeakMap();
  const nameOf = (callback) => {
    let number = names.get(callback);
    if (number === undefined) names.set(callback, number = name(callback));
    return number;
  };
  // An object of the program's is asked for nothing but its prototype.
  const callbackOf = (resource) => {
    const prototype = Object.getPrototypeOf(resource);
    if (prototype === timers) return resource._onTimeout;
    return prototype === immediates ? resource._onImmediate : undefined;
  };
  let running = 0;
  createHook({
    trackPromises: false,
    init(id, type) {
      if (type === 'Timeout' || type === 'Immediate') made(id);
    },
    before(id) {
      const callback = callbackOf(executionAsyncResource());
      if (typeof callback !== 'function') return;
      running = id;
      runs(id, nameOf(callback));
    },
    after(id) {
      if (id !== running) return;
      running = 0;
      ends();
    },
  }).enable();
}

if (process.versions.phasor === undefined) {
  try {
    const library = { exports: {} };
    process.dlopen(library, join(__dirname, 'phasor-async.so'));
    follow(library.exports);
  } catch (error) {
    writeSync(2, `phasor trace: timers are not followed: ${error.message}\n`);
  }
}
