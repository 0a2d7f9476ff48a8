'use strict';
// Node's primordials: the engine's functions under names of their own, those of prototypes with
// "this" as their first argument. Made once, before the program that asks can change them.

const primordials = { ...require('exposed/regexps') };

const NAMESPACES = ['Atomics', 'JSON', 'Math', 'Proxy', 'Reflect'];
const CLASSES = ['AggregateError', 'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array',
  'BigUint64Array', 'Boolean', 'DataView', 'Date', 'Error', 'EvalError', 'FinalizationRegistry',
  'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'Map',
  'Number', 'Object', 'Promise', 'RangeError', 'ReferenceError', 'RegExp', 'Set', 'String',
  'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet'];
const WITH_APPLY = ['ArrayOf', 'ArrayPrototypePush', 'ArrayPrototypeUnshift', 'MathHypot',
  'MathMax', 'MathMin', 'StringFromCharCode', 'StringFromCodePoint', 'StringPrototypeConcat',
  'TypedArrayOf'];

const { apply } = Reflect;
const uncurryThis = (fn) => (self, ...args) => apply(fn, self, args);
const applyBind = (fn, ...bound) => (...args) => apply(fn, ...bound, ...args);

const capital = (word) => word[0].toUpperCase() + word.slice(1);

// Symbol.iterator is called SymbolIterator.
function partOf(key) {
  if (typeof key !== 'symbol') return capital(key);
  return `Symbol${capital(key.description.slice('Symbol.'.length))}`;
}

// Functions of an object under `prefix`; those of a prototype take their "this" as an argument.
function copy(source, prefix, bind) {
  for (const key of Reflect.ownKeys(source)) {
    const { get, set, value } = Object.getOwnPropertyDescriptor(source, key);
    const part = partOf(key);
    if (get) primordials[`${prefix}Get${part}`] = uncurryThis(get);
    if (set) primordials[`${prefix}Set${part}`] = uncurryThis(set);
    if (get || set) continue;
    const name = `${prefix}${part}`;
    primordials[name] = typeof value === 'function' ? bind(value) : value;
    if (WITH_APPLY.includes(name)) {
      primordials[`${name}Apply`] = bind === uncurryThis || prefix === 'TypedArray'
        ? applyBind(value) : applyBind(value, source);
    }
  }
}

for (const name of NAMESPACES) copy(globalThis[name], name, (fn) => fn);
for (const name of CLASSES) {
  const Class = globalThis[name];
  primordials[name] = Class;
  copy(Class, name, (fn) => (...args) => apply(fn, Class, args));
  copy(Class.prototype, `${name}Prototype`, uncurryThis);
}
const hidden = {
  TypedArray: Object.getPrototypeOf(Uint8Array),
  ArrayIterator: { prototype: Object.getPrototypeOf([][Symbol.iterator]()) },
  StringIterator: { prototype: Object.getPrototypeOf(''[Symbol.iterator]()) },
};
for (const [name, Class] of Object.entries(hidden)) {
  if (typeof Class === 'function') copy(Class, name, uncurryThis);
  primordials[name] = Class;
  copy(Class.prototype, `${name}Prototype`, uncurryThis);
}

// Promises that no program's "then" can see.
const { then } = Promise.prototype;
const settled = (promise) => new Promise((resolve, reject) => {
  apply(then, promise, [resolve, reject]);
});
function all(kind) {
  return (promises, map) => new Promise((resolve, reject) => {
    const results = [];
    let left = promises.length;
    if (left === 0) resolve(results);
    promises.forEach((one, i) => {
      const keep = (value) => {
        results[i] = value;
        if (--left === 0) resolve(results);
      };
      const entry = Promise.resolve(map ? map(one, i) : one);
      if (kind === 'all') apply(then, entry, [keep, reject]);
      else {
        apply(then, entry, [(value) => keep({ status: 'fulfilled', value }),
          (reason) => keep({ status: 'rejected', reason })]);
      }
    });
  });
}

Object.assign(primordials, {
  uncurryThis, applyBind, globalThis,
  decodeURI, decodeURIComponent, encodeURI, encodeURIComponent,
  SafeMap: class SafeMap extends Map {}, SafeSet: class SafeSet extends Set {},
  SafeWeakMap: class SafeWeakMap extends WeakMap {},
  SafeWeakSet: class SafeWeakSet extends WeakSet {},
  SafePromiseAll: all('all'), SafePromiseAllReturnArrayLike: all('all'),
  SafePromiseAllReturnVoid: (promises, map) => all('all')(promises, map).then(() => undefined),
  SafePromiseAllSettled: all('settled'),
  SafePromiseAllSettledReturnVoid: (promises, map) =>
    all('settled')(promises, map).then(() => undefined),
  SafePromiseAny: (promises, map) => Promise.any(promises.map((one, i) =>
    settled(map ? map(one, i) : one))),
  SafePromiseRace: (promises, map) => Promise.race(promises.map((one, i) =>
    settled(map ? map(one, i) : one))),
  SafePromisePrototypeFinally: (promise, work) => settled(promise).finally(work),
});

module.exports = primordials;
