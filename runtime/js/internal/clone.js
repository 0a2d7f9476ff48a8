'use strict';
// structuredClone, and the copies that messages between threads carry.

const native = binding('util');

function failure(value) {
  const { DOMException } = require('internal/dom_exception');
  const text = typeof value === 'symbol' ? String(value)
    : typeof value === 'function' ? String(value) : `#<${value?.constructor?.name ?? 'Object'}>`;
  return new DOMException(`${text} could not be cloned.`, 'DataCloneError');
}

const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

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
        const { DOMException } = require('internal/dom_exception');
        throw new DOMException('An ArrayBuffer is detached and could not be cloned.',
          'DataCloneError');
      }
      return keep(value.slice(0));
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
      return keep(new DataView(clone(value.buffer, seen), value.byteOffset, value.byteLength));
    case 'Promise': case 'WeakMap': case 'WeakSet': case 'WeakRef': case 'Symbol':
    case 'Generator': case 'Proxy':
      throw failure(value);
    default: break;
  }
  if (ArrayBuffer.isView(value)) {
    const Type = globalThis[name];
    return keep(new Type(clone(value.buffer, seen), value.byteOffset, value.length));
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
  const copy = keep(Array.isArray(value) ? new Array(value.length) : {});
  for (const key of Object.keys(value)) copy[key] = clone(value[key], seen);
  return copy;
}

function clone(value, seen) {
  if (typeof value === 'symbol' || typeof value === 'function') throw failure(value);
  if (value === null || typeof value !== 'object') return value;
  return seen.has(value) ? seen.get(value) : cloneObject(value, seen);
}

function structuredClone(value, options) {
  if (arguments.length === 0) {
    throw require('internal/errors').withCode(TypeError, 'ERR_MISSING_ARGS',
      'The value argument must be specified');
  }
  const seen = new Map();
  const transfer = options?.transfer ?? [];
  for (const one of transfer) {
    if (one instanceof ArrayBuffer) seen.set(one, one.slice(0));
    else seen.set(one, one);
  }
  const copy = clone(value, seen);
  for (const one of transfer) if (one instanceof ArrayBuffer) native.detach(one);
  return copy;
}

module.exports = { structuredClone, clone };
