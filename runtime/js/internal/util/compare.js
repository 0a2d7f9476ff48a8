'use strict';
// Deep equality, strict and loose.

const { className, isError } = binding('util');
const { getTime } = Date.prototype;

// The names of this many numbers are not listed to see whether there are others among them.
const MANY = 1e5;

const BOXES = { Number, String, Boolean, BigInt, Symbol };

function sameBoxed(a, b, name) {
  const { valueOf } = BOXES[name].prototype;
  return Object.is(valueOf.call(a), valueOf.call(b));
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
  if (!compareSpecial(a, b, name, strict, seen)) return false;
  return compareParts(a, b, name, strict, seen);
}

function compareSpecial(a, b, name, strict, seen) {
  if (Array.isArray(a)) return a.length === b.length;
  if (name === 'Date') return getTime.call(a) === getTime.call(b);
  if (name === 'RegExp') {
    return a.source === b.source && a.flags === b.flags && a.lastIndex === b.lastIndex;
  }
  if (isError(a) || a instanceof Error) {
    return a.message === b.message && a.name === b.name && ['cause', 'errors'].every((key) =>
      Object.hasOwn(a, key) === Object.hasOwn(b, key) && (!Object.hasOwn(a, key) ||
        compare(a[key], b[key], strict, seen)));
  }
  if (name === 'Map' || name === 'Set') return a.size === b.size;
  if (Object.hasOwn(BOXES, name)) {
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
  // What is being compared further up is equal as far as this place can tell, if both sides are
  // where they were then.
  const place = seen.left.get(a);
  const other = seen.right.get(b);
  if (place !== undefined && other !== undefined) return place === other;
  seen.count++;
  seen.left.set(a, seen.count);
  seen.right.set(b, seen.count);
  let same = true;
  if (name === 'Set') same = sameSets(a, b, strict, seen);
  else if (name === 'Map') same = sameMaps(a, b, strict, seen);
  for (let i = 0; same && i < keys.length; i++) {
    same = compare(a[keys[i]], b[keys[i]], strict, seen);
  }
  restore(seen.left, a, place);
  restore(seen.right, b, other);
  return same;
}

function restore(places, value, place) {
  if (place === undefined) places.delete(value);
  else places.set(value, place);
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
  const found = new Set();
  for (const [key, value] of a) {
    if (b.has(key) && compare(value, b.get(key), strict, seen)) {
      found.add(key);
    } else {
      if (strict && !isObject(key)) return false;
      rest.push([key, value]);
    }
  }
  const candidates = [...b].filter(([key]) => !found.has(key));
  for (const [key, value] of rest) {
    const at = candidates.findIndex(([other, otherValue]) =>
      compare(key, other, strict, seen) && compare(value, otherValue, strict, seen));
    if (at === -1) return false;
    candidates.splice(at, 1);
  }
  return true;
}

function isDeepEqual(a, b, strict) {
  return compare(a, b, strict, { left: new Map(), right: new Map(), count: 0 });
}

module.exports = { isDeepEqual };
