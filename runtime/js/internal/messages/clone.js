'use strict';
// structuredClone, and the copies that messages between threads carry.

const native = binding('util');
const { clone: cloneAtOnce } = binding('clones');
const kinds = require('internal/crypto/kinds');

// What V8 calls a value in the error that it can't be copied.
function describe(value) {
  while (native.className(value) === 'Proxy') value = native.proxyParts(value)[0];
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') {
    return Function.prototype.toString.call(value)
      .replace(/{\s+\[native code\]\s+}$/, '{ [native code] }');
  }
  const make = value?.constructor;
  if (value === null || (value.toString === Object.prototype.toString &&
      (typeof make === 'function' || make === undefined))) {
    return `#<${make?.name || 'Object'}>`;
  }
  return Object.prototype.toString.call(value);
}

function failure(value) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(`${describe(value)} could not be cloned.`, 'DataCloneError');
}

const NOT_PLAIN = Symbol('not plain'); // what asks the program is copied here
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

// A new ArrayBuffer of the same size, without the bytes.
function sameSize(buffer) {
  return buffer.resizable
    ? new ArrayBuffer(buffer.byteLength, { maxByteLength: buffer.maxByteLength })
    : new ArrayBuffer(buffer.byteLength);
}

function copyOf(buffer) {
  if (!buffer.resizable) return buffer.slice(0);
  const copy = sameSize(buffer);
  new Uint8Array(copy).set(new Uint8Array(buffer));
  return copy;
}

// A view that follows the length of a resizable buffer stays one that does.
function lengthOf(view, length) {
  return native.tracksLength(view) ? undefined : length;
}

// Own properties by any name, "__proto__" among them.
function setOwn(copy, key, value) {
  if (key !== '__proto__') {
    copy[key] = value;
    return;
  }
  Object.defineProperty(copy, key,
    { value, writable: true, enumerable: true, configurable: true });
}

function cloneObject(value, seen) {
  const name = native.className(value);
  if (typeof value === 'function') throw failure(value);
  const keep = (copy) => {
    seen.set(value, copy);
    return copy;
  };
  switch (name) {
    case 'Date': return keep(new Date(value.getTime()));
    case 'RegExp': return keep(new RegExp(value.source, value.flags));
    case 'Boolean': case 'Number': case 'String': case 'BigInt':
      return keep(Object(value.valueOf()));
    case 'ArrayBuffer':
      if (value.detached) {
        const { DOMException } = require('internal/errors/dom_exception');
        throw new DOMException('An ArrayBuffer is detached and could not be cloned.',
          'DataCloneError');
      }
      return keep(copyOf(value));
    case 'SharedArrayBuffer': return keep(value);
    case 'Map': {
      const copy = keep(new Map());
      for (const [key, item] of [...value]) copy.set(clone(key, seen), clone(item, seen));
      return copy;
    }
    case 'Set': {
      const copy = keep(new Set());
      for (const item of [...value]) copy.add(clone(item, seen));
      return copy;
    }
    case 'DataView':
      return keep(new DataView(clone(value.buffer, seen), value.byteOffset,
        lengthOf(value, value.byteLength)));
    case 'Promise': case 'WeakMap': case 'WeakSet': case 'WeakRef': case 'Symbol':
    case 'Generator': case 'Proxy':
      throw failure(value);
    default: break;
  }
  if (ArrayBuffer.isView(value)) {
    const Type = globalThis[name];
    return keep(new Type(clone(value.buffer, seen), value.byteOffset,
      lengthOf(value, value.length)));
  }
  if (native.isError(value)) {
    const Type = ERRORS[value.name] ?? Error;
    const copy = keep(new Type(value.message));
    Object.defineProperty(copy, 'stack',
      { value: value.stack, writable: true, configurable: true, enumerable: false });
    if (Object.hasOwn(value, 'cause')) {
      Object.defineProperty(copy, 'cause', { value: clone(value.cause, seen), writable: true,
        configurable: true, enumerable: false });
    }
    return copy;
  }
  const packed = kinds.pack(value);
  if (packed !== undefined) return keep(kinds.revive(...packed));
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) setOwn(copy, key, clone(value[key], seen));
  return copy;
}

function clone(value, seen) {
  if (typeof value === 'symbol' || typeof value === 'function') throw failure(value);
  if (value === null || typeof value !== 'object') return value;
  if (value === process.env) return { ...value };
  return seen.has(value) ? seen.get(value) : cloneObject(value, seen);
}

function listOf(transfer) {
  if (transfer === undefined || transfer === null) return [];
  if (typeof transfer !== 'object' || typeof transfer[Symbol.iterator] !== 'function') {
    throw require('internal/errors/errors').withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
      'Optional transferList argument must be an iterable');
  }
  return [...transfer];
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    throw require('internal/errors/errors').withCode(TypeError, 'ERR_MISSING_ARGS',
      'The value argument must be specified');
  }
  if (options === undefined) {
    const copy = cloneAtOnce(value, NOT_PLAIN);
    if (copy !== NOT_PLAIN) return copy;
  }
  if (options !== undefined && options !== null && typeof options !== 'object' &&
      typeof options !== 'function') {
    throw require('internal/errors/errors').invalidArgType('options',
      ['Object', 'null', 'undefined'],
      options);
  }
  const seen = new Map();
  const transfer = listOf(options?.transfer);
  for (const one of transfer) {
    if (one === null || (typeof one !== 'object' && typeof one !== 'function') ||
        native.className(one) === 'SharedArrayBuffer' || isPlain(one)) {
      throw require('internal/errors/errors').withCode(TypeError, 'ERR_INVALID_TRANSFER_OBJECT',
        'Found invalid object in transferList');
    }
    if (seen.has(one)) {
      const { DOMException } = require('internal/errors/dom_exception');
      throw new DOMException('Transfer list contains duplicate ArrayBuffer', 'DataCloneError');
    }
    if (native.className(one) !== 'ArrayBuffer') seen.set(one, one);
    else if (!one.detached) seen.set(one, sameSize(one));
  }
  const copy = clone(value, seen);
  // Nothing can fail any more; what reads or writes the bytes goes on in the new place.
  for (const one of transfer)
    if (native.className(one) === 'ArrayBuffer' && !one.detached)
      move(one, seen.get(one));
  return copy;
}

// An engine that can't move memory has it copied.
function move(from, to) {
  if (!native.moveBytes(from, to)) new Uint8Array(to).set(new Uint8Array(from));
}

function isPlain(value) {
  const proto = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype || Array.isArray(value) ||
    typeof value === 'function';
}

module.exports = { structuredClone, clone, describe, setOwn };
