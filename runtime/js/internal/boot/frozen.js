'use strict';
// --frozen-intrinsics: what the language brings can't be changed. What an object inherits from it
// can still be replaced by a property of the object's own.

const NAMES = `
  Object Function Array Number Boolean String Symbol BigInt Date Math JSON Reflect Proxy RegExp
  Promise Map Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer
  DataView Atomics Intl Error AggregateError EvalError RangeError ReferenceError SyntaxError
  TypeError URIError Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
  Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Iterator eval parseInt
  parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape console`.trim().split(/\s+/);

const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { ownKeys } = Reflect;

// Those that no global name leads to.
function hidden() {
  return [
    getPrototypeOf(function* () {}), getPrototypeOf(async function* () {}),
    getPrototypeOf(async () => {}), getPrototypeOf([][Symbol.iterator]()),
    getPrototypeOf(new Map()[Symbol.iterator]()), getPrototypeOf(new Set()[Symbol.iterator]()),
    getPrototypeOf(''[Symbol.iterator]()), getPrototypeOf(/./[Symbol.matchAll]('')),
  ];
}

// The property stays as it is for this object, and is set for those that inherit from it.
function letHeirsDiffer(object, key, { value, enumerable }) {
  defineProperty(object, key, {
    enumerable,
    configurable: false,
    get() { return value; },
    set(other) {
      if (this === object) {
        throw new TypeError(`Cannot assign to read only property '${String(key)}' of object`);
      }
      if (hasOwn(this, key)) this[key] = other;
      else {
        defineProperty(this, key,
          { value: other, writable: true, enumerable: true, configurable: true });
      }
    },
  });
}

const isObject = (value) => (typeof value === 'object' && value !== null) ||
  typeof value === 'function';

function gather(roots) {
  const found = new Set();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const object = waiting.pop();
    if (!isObject(object) || found.has(object) || object === globalThis) continue;
    found.add(object);
    waiting.push(getPrototypeOf(object));
    for (const key of ownKeys(object)) {
      const { value, get, set } = getOwnPropertyDescriptor(object, key);
      waiting.push(value, get, set);
    }
  }
  return found;
}

function freezeAll() {
  const roots = NAMES.map((name) => globalThis[name]);
  const all = gather([...roots, ...hidden()]);
  for (const object of all) {
    const hasHeirs = hasOwn(object, typeof object === 'function' ? 'prototype' : 'constructor');
    for (const key of hasHeirs ? ownKeys(object) : []) {
      const property = getOwnPropertyDescriptor(object, key);
      if (property.configurable && property.writable) letHeirsDiffer(object, key, property);
    }
  }
  for (const object of all) if (!ArrayBuffer.isView(object)) freeze(object);
  defineProperty(globalThis, 'globalThis', { writable: false, configurable: false });
  process.emitWarning('Frozen intristics is an experimental feature and might change at any time',
    'ExperimentalWarning');
}

module.exports = { freezeAll };
