'use strict';
// Deep equality, strict and loose.

const { className, isError } = binding('util');

// The names of this many numbers are not listed to see whether there are others among them.
const MANY = 1e5;

function sameBoxed(a, b, name) {
  if (name === 'Symbol')
    return Symbol.prototype.valueOf.call(a) === Symbol.prototype.valueOf.call(b);
  return Object.is(a.valueOf(), b.valueOf());
}

function ownEnumerable(value) {
  const keys = Object.keys(value);
  for (const symbol of Object.getOwnPropertySymbols(value)) {
    if (Object.prototype.propertyIsEnumerable.call(value, symbol)) keys.push(symbol);
  }
  return keys;
}

function sameBytes(a, b) {
  if (a.byteLength !== b.byteLength) return false;
  const x = new Uint8Array(a.buffer ?? a, a.byteOffset ?? 0, a.byteLength);
  const y = new Uint8Array(b.buffer ?? b, b.byteOffset ?? 0, b.byteLength);
  return Buffer.compare(x, y) === 0;
}

// A proxy is what it looks like.
function kindOf(value) {
  const name = className(value);
  if (name !== 'Proxy') return name;
  return Array.isArray(value) ? 'Array' : 'Object';
}

const tagOf = (value) => Object.prototype.toString.call(value);

function compare(a, b, strict, seen) {
  if (a === b) return a !== 0 || !strict || Object.is(a, b);
  if (strict) {
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      return typeof a === 'number' && Number.isNaN(a) && Number.isNaN(b);
    }
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  } else {
    if (a === null || typeof a !== 'object') {
      if (b !== null && typeof b === 'object') return false;
      // eslint-disable-next-line eqeqeq
      return a == b || (Number.isNaN(a) && Number.isNaN(b));
    }
    if (b === null || typeof b !== 'object') return false;
  }
  const name = kindOf(a);
  if (name !== kindOf(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (tagOf(a) !== tagOf(b)) return false;
  if (!compareSpecial(a, b, name, strict)) return false;
  return compareParts(a, b, name, strict, seen);
}

function compareSpecial(a, b, name, strict) {
  if (Array.isArray(a)) return a.length === b.length;
  if (name === 'Date') return Object.is(a.getTime(), b.getTime());
  if (name === 'RegExp') {
    return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
  }
  if (isError(a)) {
    return a.message === b.message && a.name === b.name;
  }
  if (name === 'Map' || name === 'Set') return a.size === b.size;
  if (['Number', 'String', 'Boolean', 'BigInt', 'Symbol'].includes(name)) {
    return sameBoxed(a, b, name);
  }
  if (name === 'ArrayBuffer' || name === 'SharedArrayBuffer' || name === 'DataView') {
    return sameBytes(a, b);
  }
  if (ArrayBuffer.isView(a)) {
    if (!name.startsWith('Float')) return sameBytes(a, b);
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) {
      if (!Object.is(a[i], b[i]) && (strict || a[i] !== b[i])) return false;
    }
  }
  return true;
}

function compareParts(a, b, name, strict, seen) {
  const isView = ArrayBuffer.isView(a) && name !== 'DataView';
  if (isView && a.length > MANY) return true;
  const plainKeys = (value) => (strict ? ownEnumerable(value) : Object.keys(value))
    .filter((key) => !(isView && /^\d+$/.test(String(key))));
  const keys = plainKeys(a);
  const others = plainKeys(b);
  if (keys.length !== others.length) return false;
  for (const key of keys) {
    if (!Object.prototype.propertyIsEnumerable.call(b, key)) return false;
  }
  // A pair that is being compared further up is equal as far as this place can tell.
  const before = seen.get(a);
  if (before !== undefined) return before === b;
  seen.set(a, b);
  let same = true;
  if (name === 'Set') same = sameSets(a, b, strict, seen);
  else if (name === 'Map') same = sameMaps(a, b, strict, seen);
  for (let i = 0; same && i < keys.length; i++) {
    same = compare(a[keys[i]], b[keys[i]], strict, seen);
  }
  seen.delete(a);
  return same;
}

function isObject(value) {
  return value !== null && typeof value === 'object';
}

function sameSets(a, b, strict, seen) {
  const rest = [];
  for (const item of a) {
    if (b.has(item)) continue;
    if (strict && !isObject(item)) return false;
    rest.push(item);
  }
  if (rest.length === 0) return true;
  const candidates = [...b].filter((item) => !a.has(item));
  for (const item of rest) {
    const at = candidates.findIndex((one) => compare(item, one, strict, seen));
    if (at === -1) return false;
    candidates.splice(at, 1);
  }
  return true;
}

function sameMaps(a, b, strict, seen) {
  const rest = [];
  for (const [key, value] of a) {
    if (b.has(key)) {
      if (!compare(value, b.get(key), strict, seen)) return false;
    } else {
      if (strict && !isObject(key)) return false;
      rest.push([key, value]);
    }
  }
  const candidates = [...b].filter(([key]) => !a.has(key));
  for (const [key, value] of rest) {
    const at = candidates.findIndex(([other, otherValue]) =>
      compare(key, other, strict, seen) && compare(value, otherValue, strict, seen));
    if (at === -1) return false;
    candidates.splice(at, 1);
  }
  return true;
}

module.exports = { isDeepEqual: (a, b, strict) => compare(a, b, strict, new Map()) };
