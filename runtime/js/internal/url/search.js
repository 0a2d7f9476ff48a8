'use strict';
const { missingArgs, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');

const kUpdate = Symbol('update');

function encode(text) {
  return encodeURIComponent(text.toWellFormed()).replace(/%20/g, '+')
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decode(text) {
  const plain = text.replaceAll('+', ' ');
  if (!plain.includes('%')) return plain;
  try {
    return decodeURIComponent(plain);
  } catch {
    return require('querystring').unescapeBuffer(plain).toString();
  }
}

function invalidThis(name) {
  return withCode(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`,
    invalidThis);
}

function invalidTuple() {
  return withCode(TypeError, 'ERR_INVALID_TUPLE',
    'Each query pair must be an iterable [name, value] tuple', invalidTuple);
}

// Conversion to text as the web has it: no symbols, no halves of characters.
function text(value) { return `${value}`.toWellFormed(); }

function pairsOf(init) {
  const list = [];
  const method = init[Symbol.iterator];
  if (method === undefined || method === null) {
    for (const key of Reflect.ownKeys(init)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(init, key);
      if (!descriptor?.enumerable) continue;
      const name = text(key);
      const value = text(init[key]);
      const at = list.findIndex((pair) => pair[0] === name);
      if (at === -1) list.push([name, value]);
      else list[at][1] = value;
    }
    return list;
  }
  if (typeof method !== 'function') {
    throw withCode(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
  }
  for (const pair of init) {
    if (pair === null || pair === undefined) throw invalidTuple();
    const isObject = typeof pair === 'object' || typeof pair === 'function';
    if (!isObject || typeof pair[Symbol.iterator] !== 'function') throw invalidTuple();
    const items = [...pair];
    if (items.length !== 2) throw invalidTuple();
    list.push([text(items[0]), text(items[1])]);
  }
  return list;
}

class URLSearchParams {
  #list = [];

  constructor(init = undefined) {
    Object.defineProperty(this, kUpdate, { enumerable: false, writable: true, value: undefined });
    if (init === undefined || init === null) return;
    if (typeof init === 'object' || typeof init === 'function') this.#list = pairsOf(init);
    else parse(this, text(init).replace(/^\?/, ''));
  }

  static #of(params) {
    if (params === null || typeof params !== 'object' || !(#list in params)) {
      throw invalidThis('URLSearchParams');
    }
    return params;
  }

  // The pairs as they are now, for the URL that owns them and for iterators.
  static setList(params, list) { params.#list = list; }

  static getList(params) { return URLSearchParams.#of(params).#list; }

  #changed() { if (this[kUpdate]) this[kUpdate](this.toString()); }

  get size() { return URLSearchParams.#of(this).#list.length; }

  append(name, value) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 2) throw missingArgs('name', 'value');
    self.#list.push([text(name), text(value)]);
    self.#changed();
  }

  delete(name, value = undefined) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 1) throw missingArgs('name');
    name = text(name);
    if (value !== undefined) value = text(value);
    self.#list = self.#list.filter(
      ([key, one]) => !(key === name && (value === undefined || one === value)));
    self.#changed();
  }

  get(name) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 1) throw missingArgs('name');
    name = text(name);
    const found = self.#list.find(([key]) => key === name);
    return found ? found[1] : null;
  }

  getAll(name) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 1) throw missingArgs('name');
    name = text(name);
    return self.#list.filter(([key]) => key === name).map(([, value]) => value);
  }

  has(name, value = undefined) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 1) throw missingArgs('name');
    name = text(name);
    if (value !== undefined) value = text(value);
    return self.#list.some(([key, one]) => key === name && (value === undefined || one === value));
  }

  set(name, value) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 2) throw missingArgs('name', 'value');
    name = text(name);
    value = text(value);
    const at = self.#list.findIndex(([key]) => key === name);
    if (at === -1) {
      self.#list.push([name, value]);
    } else {
      self.#list[at][1] = value;
      self.#list = self.#list.filter(([key], i) => i <= at || key !== name);
    }
    self.#changed();
  }

  sort() {
    const self = URLSearchParams.#of(this);
    self.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    self.#changed();
  }

  entries() { return makeIterator(URLSearchParams.#of(this), (pair) => [...pair]); }

  forEach(callback, self = undefined) {
    const params = URLSearchParams.#of(this);
    validateFunction(callback, 'callback');
    for (let i = 0; i < params.#list.length; i++) {
      const [name, value] = params.#list[i];
      Reflect.apply(callback, self, [value, name, params]);
    }
  }

  keys() { return makeIterator(URLSearchParams.#of(this), ([name]) => name); }

  values() { return makeIterator(URLSearchParams.#of(this), ([, value]) => value); }

  toString() {
    return URLSearchParams.#of(this).#list
      .map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const self = URLSearchParams.#of(this);
    if (typeof depth === 'number' && depth < 0) return '[Object]';
    const inner = { ...options };
    if (depth !== null && depth !== undefined) inner.depth = depth - 1;
    const parts = self.#list.map(
      ([name, value]) => `${inspect(name, inner)} => ${inspect(value, inner)}`);
    return shown('URLSearchParams', parts, options, ' }', '{}');
  }
}

// One line if it fits, else one part a line.
function shown(name, parts, { breakLength = 80 }, end, empty) {
  if (parts.length === 0) return `${name} ${empty}`;
  const length = parts.reduce((sum, part) => sum + part.length + 2, -2);
  if (length <= breakLength) return `${name} { ${parts.join(', ')} }`;
  return `${name} {\n  ${parts.join(',\n  ')}${end}`;
}

const kState = Symbol('state');

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
const SearchIterator = Object.create(IteratorPrototype, {
  next: {
    configurable: true,
    enumerable: true,
    writable: true,
    value: function next() {
      const state = this?.[kState];
      if (state === undefined) throw invalidThis('URLSearchParamsIterator');
      const list = getList(state.params);
      if (state.at >= list.length) return { value: undefined, done: true };
      return { value: state.pick(list[state.at++]), done: false };
    },
  },
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams Iterator' },
  [Symbol.for('nodejs.util.inspect.custom')]: {
    configurable: true,
    writable: true,
    value(depth, options, inspect) {
      const state = this?.[kState];
      if (state === undefined) throw invalidThis('URLSearchParamsIterator');
      if (typeof depth === 'number' && depth < 0) return '[Object]';
      const inner = { ...options };
      if (depth !== null && depth !== undefined) inner.depth = depth - 1;
      const parts = getList(state.params).slice(state.at)
        .map((pair) => inspect(state.pick(pair), inner));
      return shown('URLSearchParams Iterator', parts, options, ' }', '{  }');
    },
  },
});

function makeIterator(params, pick) {
  return Object.create(SearchIterator, { [kState]: { value: { params, pick, at: 0 } } });
}

const { setList, getList } = URLSearchParams;
delete URLSearchParams.setList;
delete URLSearchParams.getList;

// Reads the text of a query into the list.
function parse(params, query) {
  const list = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    list.push(at === -1 ? [decode(part), '']
      : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
  }
  setList(params, list);
}

for (const name of Object.getOwnPropertyNames(URLSearchParams.prototype)) {
  if (name !== 'constructor') {
    Object.defineProperty(URLSearchParams.prototype, name, { enumerable: true });
  }
}
Object.defineProperties(URLSearchParams.prototype, {
  [Symbol.iterator]: {
    configurable: true, writable: true, value: URLSearchParams.prototype.entries,
  },
  [Symbol.toStringTag]: { configurable: true, value: 'URLSearchParams' },
});

module.exports = { URLSearchParams, kUpdate, parse };
