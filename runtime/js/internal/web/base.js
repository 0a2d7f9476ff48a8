'use strict';
// What the web's streams share: their slots, brands, queues with sizes, and small promises.

const { invalidArgValue, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const { inspect } = require('internal/inspect/inspect');

// The slots of the standard: one object per stream, reader, writer or controller.
const state = Symbol('kState');

const isBrand = (value, brand) => value?.[state]?.brand === brand;

function invalidThis(name) {
  return withCode(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`,
    invalidThis);
}

// The slots of `self`, which must be what the method belongs to.
function slots(self, brand) {
  const found = self?.[state];
  if (found === undefined || found.brand !== brand) throw invalidThis(brand);
  return found;
}

function wrongState(text, Base = TypeError) {
  return withCode(Base, 'ERR_INVALID_STATE', `Invalid state: ${text}`, wrongState);
}

// As invalidArgValue, of another class.
function wrongValue(name, value) {
  const { message } = invalidArgValue(name, value);
  return withCode(RangeError, 'ERR_INVALID_ARG_VALUE', message, wrongValue);
}

function illegalConstructor() {
  return withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', illegalConstructor);
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    made.resolve = resolve;
    made.reject = reject;
  });
  return made;
}

const nothing = () => {};

// A promise that may be rejected without anybody looking.
function handled(promise) {
  promise.then(nothing, nothing);
  return promise;
}

function rejected(error) {
  const made = deferred();
  handled(made.promise);
  made.reject(error);
  return made;
}

function fulfilled(value) {
  const made = deferred();
  made.resolve(value);
  return made;
}

// A method of the user's object as a function that gives a promise whatever happens.
function promising(fn, self) {
  return (...args) => {
    try {
      return Promise.resolve(Reflect.apply(fn, self, args));
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

function algorithmOf(object, key, name, otherwise) {
  const fn = object?.[key];
  if (fn === undefined) return otherwise;
  validateFunction(fn, `${name}.${key}`);
  return promising(fn, object);
}

function startOf(object, ...args) {
  const start = object?.start;
  if (start === undefined) return nothing;
  if (typeof start !== 'function') throw new TypeError('Bind must be called on a function');
  return () => Reflect.apply(start, object, args);
}

const done = () => Promise.resolve();

function sizeAlgorithmOf(size) {
  if (size === undefined) return () => 1;
  validateFunction(size, 'strategy.size');
  return (chunk) => Reflect.apply(size, undefined, [chunk]);
}

function highWaterMarkOf(value, otherwise) {
  if (value === undefined) return otherwise;
  const mark = +value;
  if (Number.isNaN(mark) || mark < 0) throw wrongValue('strategy.highWaterMark', mark);
  return mark;
}

function resetQueue(slot) {
  slot.queue = [];
  slot.queueTotalSize = 0;
}

function enqueueValueWithSize(slot, value, size) {
  size = +size;
  if (!(size >= 0) || size === Infinity) throw wrongValue('size', size);
  slot.queue.push({ value, size });
  slot.queueTotalSize += size;
}

function dequeueValue(slot) {
  const { value, size } = slot.queue.shift();
  slot.queueTotalSize = Math.max(0, slot.queueTotalSize - size);
  return value;
}

function isPromisePending(promise) {
  const { isPromise } = require('util').types;
  return isPromise(promise) && binding('util').promiseState(promise)[0] === 0;
}

// "Name { what }", one level less deep.
function show(self, depth, options, name, data) {
  if (depth < 0) return self;
  const deep = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(data, deep)}`;
}

// What the standard asks of its classes: members that can be listed, a tag, and how they are shown.
function define(Class, shown) {
  const { prototype, name } = Class;
  for (const key of Object.getOwnPropertyNames(prototype)) {
    if (key !== 'constructor') Object.defineProperty(prototype, key, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  Object.defineProperty(prototype, inspect.custom, {
    configurable: true,
    writable: true,
    value(depth, options) {
      return show(this, depth, options, name, shown(this, slots(this, name)));
    },
  });
}

module.exports = {
  state, isBrand, slots, wrongState, wrongValue, illegalConstructor, deferred, handled, rejected,
  fulfilled, promising, algorithmOf, startOf, done, nothing, sizeAlgorithmOf, highWaterMarkOf,
  resetQueue, enqueueValueWithSize, dequeueValue, isPromisePending, define, show,
};
