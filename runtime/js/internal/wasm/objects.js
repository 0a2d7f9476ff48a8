'use strict';
// WebAssembly.Memory, Table and Global: their arguments. What they do is the plug-in's.

const { KIND, native, isKind } = require('internal/wasm/native');

const MOST_PAGES = 65536;
const MOST_ELEMENTS = 10000000;
const MOST = 4294967295;

function uint32(context, what, value) {
  const number = +value;
  if (!Number.isFinite(number)) {
    throw new TypeError(`${context}: ${what} must be convertible to a valid number`);
  }
  if (number < 0 && Math.trunc(number) !== 0) {
    throw new TypeError(`${context}: ${what} must be non-negative`);
  }
  if (number > MOST) {
    throw new TypeError(`${context}: ${what} must be in the unsigned long range`);
  }
  return Math.trunc(number) + 0;
}

// A property of a descriptor within bounds; undefined if it is not there.
function bounded(context, descriptor, name, least, most) {
  const value = descriptor[name];
  if (value === undefined) return undefined;
  const number = uint32(context, `Property '${name}'`, value);
  if (number < least) {
    throw new RangeError(
      `${context}: Property '${name}': value ${number} is below the lower bound ${least}`);
  }
  if (number > most) {
    throw new RangeError(
      `${context}: Property '${name}': value ${number} is above the upper bound ${most}`);
  }
  return number;
}

function limits(context, descriptor, mostInitial, mostMaximum) {
  const initial = bounded(context, descriptor, 'initial', 0, mostInitial);
  if (initial === undefined) throw new TypeError(`${context}: Property 'initial' is required`);
  return [initial, bounded(context, descriptor, 'maximum', initial, mostMaximum)];
}

const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

function needNew(target, name) {
  if (target === undefined) {
    throw new TypeError(`WebAssembly.${name}(): WebAssembly.${name} must be invoked with 'new'`);
  }
}

function receive(value, kind, name, context) {
  if (!isKind(value, kind)) {
    throw new TypeError(`${context}: Receiver is not a WebAssembly.${name}`);
  }
}

function prototypeOf(target, own) {
  const { prototype } = target;
  return isObject(prototype) ? prototype : own.prototype;
}

function Memory(descriptor) {
  const context = 'WebAssembly.Memory()';
  needNew(new.target, 'Memory');
  if (!isObject(descriptor)) {
    throw new TypeError(`${context}: Argument 0 must be a memory descriptor`);
  }
  const [initial, maximum] = limits(context, descriptor, MOST_PAGES, MOST_PAGES);
  const shared = Boolean(descriptor.shared);
  if (shared && maximum === undefined) {
    throw new TypeError(`${context}: If shared is true, maximum property should be defined.`);
  }
  return native().newMemory(prototypeOf(new.target, Memory), initial, maximum, shared);
}

const memoryMethods = {
  grow(delta) {
    const context = 'WebAssembly.Memory.grow()';
    receive(this, KIND.MEMORY, 'Memory', context);
    const before = native().growMemory(this, uint32(context, 'Argument 0', delta));
    if (before < 0) throw new RangeError(`${context}: Maximum memory size exceeded`);
    return before;
  },
  get buffer() {
    receive(this, KIND.MEMORY, 'Memory', 'WebAssembly.Memory.buffer');
    return native().buffer(this);
  },
};

// What a table has where nothing is given.
const nothing = (type) => (type === 'externref' ? undefined : null);

function Table(descriptor, ...rest) {
  const context = 'WebAssembly.Table()';
  needNew(new.target, 'Table');
  if (!isObject(descriptor)) {
    throw new TypeError(`${context}: Argument 0 must be a table descriptor`);
  }
  const type = String(descriptor.element);
  if (type !== 'anyfunc' && type !== 'externref') {
    throw new TypeError(
      `${context}: Descriptor property 'element' must be a WebAssembly reference type`);
  }
  const [initial, maximum] = limits(context, descriptor, MOST_ELEMENTS, MOST);
  const value = rest.length > 0 && rest[0] !== undefined ? rest[0] : nothing(type);
  if (type === 'anyfunc' && value !== null && !native().isKind(value, KIND.FUNCTION)) {
    throw new TypeError(`${context}: Argument 2 must be undefined or a value of type compatible ` +
      'with the type of the new table.');
  }
  return native().newTable(prototypeOf(new.target, Table), type, initial, maximum, value);
}

function checkElement(table, value, context, which) {
  if (native().tableType(table) === 'externref' || value === null ||
      native().isKind(value, KIND.FUNCTION)) return;
  throw new TypeError(`${context}: Argument ${which} is invalid for table: function-typed object ` +
    'must be null (if nullable) or a Wasm function object');
}

function checkIndex(table, index, context) {
  if (index >= native().tableLength(table)) {
    throw new RangeError(`${context}: invalid index ${index} into ` +
      `${native().tableType(table)} table`.replace('funcref', 'function'));
  }
}

const tableMethods = {
  get length() {
    receive(this, KIND.TABLE, 'Table', 'WebAssembly.Table.length');
    return native().tableLength(this);
  },
  grow(delta, ...rest) {
    const context = 'WebAssembly.Table.grow()';
    receive(this, KIND.TABLE, 'Table', context);
    const count = uint32(context, 'Argument 0', delta);
    const value = rest.length > 0 && rest[0] !== undefined
      ? rest[0] : nothing(native().tableType(this));
    checkElement(this, value, context, 1);
    const before = native().tableGrow(this, count, value);
    if (before < 0) throw new RangeError(`${context}: failed to grow table by ${count}`);
    return before;
  },
  set(at, ...rest) {
    const context = 'WebAssembly.Table.set()';
    receive(this, KIND.TABLE, 'Table', context);
    const index = uint32(context, 'Argument 0', at);
    checkIndex(this, index, context);
    const value = rest.length > 0 ? rest[0] : nothing(native().tableType(this));
    checkElement(this, value, context, 1);
    native().tableSet(this, index, value);
  },
  get(at) {
    const context = 'WebAssembly.Table.get()';
    receive(this, KIND.TABLE, 'Table', context);
    const index = uint32(context, 'Argument 0', at);
    checkIndex(this, index, context);
    return native().tableGet(this, index);
  },
};

const TYPES = new Set(['i32', 'i64', 'f32', 'f64', 'externref', 'anyfunc']);
const ZERO = { __proto__: null, i32: 0, i64: 0n, f32: 0, f64: 0, anyfunc: null };

function Global(descriptor, ...rest) {
  const context = 'WebAssembly.Global()';
  needNew(new.target, 'Global');
  if (!isObject(descriptor)) {
    throw new TypeError(`${context}: Argument 0 must be a global descriptor`);
  }
  const mutable = Boolean(descriptor.mutable);
  const type = String(descriptor.value);
  if (!TYPES.has(type)) {
    throw new TypeError(`${context}: Descriptor property 'value' must be a WebAssembly type`);
  }
  let value = rest[0];
  if (value === undefined) value = type === 'externref' && rest.length === 0 ? null : ZERO[type];
  if (type === 'anyfunc' && value !== null && !native().isKind(value, KIND.FUNCTION)) {
    throw new TypeError(`${context}: The value of funcref globals must be null or an exported ` +
      'function');
  }
  return native().newGlobal(prototypeOf(new.target, Global), type, mutable, value);
}

const globalMethods = {
  valueOf() {
    receive(this, KIND.GLOBAL, 'Global', 'WebAssembly.Global.valueOf()');
    return native().globalGet(this);
  },
  get value() {
    receive(this, KIND.GLOBAL, 'Global', 'get WebAssembly.Global.value');
    return native().globalGet(this);
  },
  set value(given) {
    const context = 'set WebAssembly.Global.value';
    receive(this, KIND.GLOBAL, 'Global', context);
    if (!native().isMutable(this)) {
      throw new TypeError(`${context}: Can't set the value of an immutable global.`);
    }
    native().globalSet(this, given);
  },
};

// Gives a constructor its prototype: methods that programs can list, and its name.
function complete(make, name, methods) {
  Object.defineProperty(make, 'prototype', { writable: false });
  Object.defineProperty(make, 'length', { value: 1, configurable: true });
  const properties = Object.getOwnPropertyDescriptors(methods);
  Object.defineProperties(make.prototype, properties);
  Object.defineProperty(make.prototype, Symbol.toStringTag,
    { value: `WebAssembly.${name}`, configurable: true });
}

complete(Memory, 'Memory', memoryMethods);
complete(Table, 'Table', tableMethods);
complete(Global, 'Global', globalMethods);

module.exports = { Memory, Table, Global, complete, needNew, prototypeOf, isObject };
