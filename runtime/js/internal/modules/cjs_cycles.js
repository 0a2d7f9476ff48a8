'use strict';
// Modules that require each other: who reads what is not there yet is told so.

const { isProxy } = require('util').types;

function tell(key) {
  process.emitWarning(`Accessing non-existent property '${String(key)}' of module exports inside ` +
    'circular dependency');
}

const guardian = new Proxy({}, {
  get(target, key) {
    if (key in target || key === '__esModule') return target[key];
    tell(key);
    return undefined;
  },
  getOwnPropertyDescriptor(target, key) {
    if (Object.hasOwn(target, key) || key === '__esModule') {
      return Object.getOwnPropertyDescriptor(target, key);
    }
    tell(key);
    return undefined;
  },
});

// The exports of a module that has not run to its end.
function guard(exports) {
  if (exports === null || typeof exports !== 'object' || isProxy(exports)) return;
  if (Object.getPrototypeOf(exports) !== Object.prototype || exports.__esModule) return;
  Object.setPrototypeOf(exports, guardian);
}

function release(exports) {
  if (exports === null || typeof exports !== 'object' || isProxy(exports)) return;
  if (Object.getPrototypeOf(exports) === guardian) Object.setPrototypeOf(exports, Object.prototype);
}

module.exports = { guard, release };
