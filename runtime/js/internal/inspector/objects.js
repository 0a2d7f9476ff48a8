'use strict';
// Values as the protocol shows them: what they are, in words, and a number to ask for more with.

const types = require('util/types');
const { preview } = require('internal/inspector/preview');

class ProtocolError extends Error {
  constructor(message, code = -32000, data = undefined) {
    super(message);
    this.protocol = data === undefined ? { code, message } : { code, message, data };
  }
}

// The environment is one, which in Node it is not.
const isProxy = (value) => types.isProxy(value) && value !== process.env;

const KINDS = [
  ['array', Array.isArray], ['proxy', isProxy], ['regexp', types.isRegExp],
  ['date', types.isDate], ['map', types.isMap], ['set', types.isSet],
  ['weakmap', types.isWeakMap], ['weakset', types.isWeakSet], ['error', types.isNativeError],
  ['promise', types.isPromise], ['typedarray', types.isTypedArray],
  ['arraybuffer', types.isAnyArrayBuffer], ['dataview', types.isDataView],
  ['generator', types.isGeneratorObject], ['iterator', types.isMapIterator],
  ['iterator', types.isSetIterator],
];

function subtypeOf(value) {
  return KINDS.find(([, is]) => is(value))?.[0];
}

// The name of the function that made it, as far as that can be read without running anything.
function classOf(value) {
  for (let at = value, depth = 0; at !== null && depth < 20; depth++) {
    if (isProxy(at)) return 'Object';
    const own = Object.getOwnPropertyDescriptor(at, 'constructor');
    if (typeof own?.value === 'function') {
      const name = Object.getOwnPropertyDescriptor(own.value, 'name')?.value;
      if (typeof name === 'string' && name !== '') return name;
    }
    at = Object.getPrototypeOf(at);
  }
  return 'Object';
}

function sizeOf(value, subtype) {
  if (subtype === 'map') return Reflect.get(Map.prototype, 'size', value);
  if (subtype === 'set') return Reflect.get(Set.prototype, 'size', value);
  return subtype === 'arraybuffer' ? value.byteLength : value.length;
}

function errorText(error) {
  const stack = Object.getOwnPropertyDescriptor(error, 'stack')?.value;
  const head = `${classOf(error)}: ${error.message}`;
  if (typeof stack !== 'string' || stack === '') return head;
  return stack;
}

function sourceOf(value) {
  try {
    return Function.prototype.toString.call(value);
  } catch {
    return 'function () { [native code] }';
  }
}

function textOf(value, subtype, className) {
  switch (subtype) {
    case 'regexp': return RegExp.prototype.toString.call(value);
    case 'date': return Date.prototype.toString.call(value);
    case 'error': return errorText(value);
    case 'proxy': return 'Proxy(Object)';
    case 'array': case 'map': case 'set': case 'typedarray': case 'arraybuffer':
      return `${className}(${sizeOf(value, subtype)})`;
    default: return className;
  }
}

function describeNumber(value) {
  const text = Object.is(value, -0) ? '-0' : `${value}`;
  if (Number.isFinite(value) && text !== '-0') return { type: 'number', value, description: text };
  return { type: 'number', unserializableValue: text, description: text };
}

// Without a number.
function describe(value) {
  switch (typeof value) {
    case 'undefined': return { type: 'undefined' };
    case 'number': return describeNumber(value);
    case 'string': case 'boolean': return { type: typeof value, value };
    case 'bigint':
      return { type: 'bigint', unserializableValue: `${value}n`, description: `${value}n` };
    case 'symbol': return { type: 'symbol', description: String(value) };
    case 'function':
      return { type: 'function', className: types.isAsyncFunction(value) ? 'AsyncFunction'
        : types.isGeneratorFunction(value) ? 'GeneratorFunction' : 'Function',
      description: sourceOf(value) };
    default:
  }
  if (value === null) return { type: 'object', subtype: 'null', value: null };
  const subtype = subtypeOf(value);
  const className = subtype === 'proxy' ? 'Object' : classOf(value);
  const shown = { type: 'object', className, description: textOf(value, subtype, className) };
  return subtype === undefined ? shown : { type: 'object', subtype, ...shown };
}

// What JSON can say; V8 refuses what is nested too deeply or goes around in circles.
function byValue(value, depth = 0) {
  if (depth > 1000) throw new ProtocolError('Object reference chain is too long');
  if (typeof value === 'symbol' || typeof value === 'function') return {};
  if (typeof value === 'bigint') throw new ProtocolError("Object couldn't be returned by value");
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.toJSON === 'function' && depth === 0 && types.isDate(value)) return {};
  if (Array.isArray(value)) return Array.from(value, (item) => byValue(item, depth + 1));
  const plain = {};
  for (const key of Object.keys(value)) {
    const item = byValue(value[key], depth + 1);
    if (item !== undefined) plain[key] = item;
  }
  return plain;
}

// The objects that one client has been shown.
class Objects {
  #known = new Map();
  #groups = new Map();
  #last = 0;

  wrap(value, { group = '', returnByValue = false, generatePreview = false } = {}) {
    const shown = describe(value);
    const isHeld = typeof value === 'symbol' || typeof value === 'function' ||
      (typeof value === 'object' && value !== null);
    if (!isHeld) return shown;
    if (returnByValue) return { type: shown.type, value: byValue(value) };
    if (generatePreview && typeof value === 'object') {
      shown.preview = preview(value, describe, shown);
    }
    shown.objectId = this.keep(value, group);
    return shown;
  }

  keep(value, group = '') {
    const id = `1.1.${++this.#last}`;
    this.#known.set(id, { value, group });
    if (!this.#groups.has(group)) this.#groups.set(group, new Set());
    this.#groups.get(group).add(id);
    return id;
  }

  find(id) {
    if (typeof id !== 'string' || !/^-?\d+\.\d+\.\d+$/.test(id)) {
      throw new ProtocolError('Invalid remote object id');
    }
    const found = this.#known.get(id);
    if (found === undefined) throw new ProtocolError('Could not find object with given id');
    return found;
  }

  release(id) {
    const found = this.#known.get(id);
    if (found === undefined) return;
    this.#known.delete(id);
    this.#groups.get(found.group)?.delete(id);
  }

  releaseGroup(group) {
    for (const id of this.#groups.get(group) ?? []) this.#known.delete(id);
    this.#groups.delete(group);
  }
}

module.exports = { Objects, ProtocolError, describe };
