'use strict';
const { invalidArgType, withCode } = require('internal/errors');

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

function missing(...names) {
  const list = names.map((name) => `"${name}"`);
  return withCode(TypeError, 'ERR_MISSING_ARGS', list.length === 1
    ? `The ${list[0]} argument must be specified`
    : `The ${list.join(' and ')} arguments must be specified`);
}

class URLSearchParams {
  #list = [];
  [kUpdate] = undefined;

  constructor(init = undefined) {
    Object.defineProperty(this, kUpdate, { enumerable: false, writable: true });
    if (init === undefined || init === null) return;
    if (typeof init === 'object' || typeof init === 'function') {
      const method = init[Symbol.iterator];
      if (typeof method === 'function') {
        for (const pair of init) {
          const items = pair !== null && typeof pair === 'object' ? [...pair] : [];
          if (items.length !== 2) {
            throw withCode(
              TypeError,
              'ERR_INVALID_TUPLE',
              'Each query pair must be an iterable [name, value] tuple'
            );
          }
          this.#list.push([`${items[0]}`, `${items[1]}`]);
        }
      } else {
        for (const key of Reflect.ownKeys(init)) {
          if (typeof key === 'string' && Object.prototype.propertyIsEnumerable.call(init, key)) {
            this.#list.push([key, `${init[key]}`]);
          }
        }
      }
      return;
    }
    this._parse(`${init}`);
  }

  _parse(text) {
    this.#list = [];
    if (text[0] === '?') text = text.slice(1);
    for (const part of text.split('&')) {
      if (part === '') continue;
      const at = part.indexOf('=');
      this.#list.push(
        at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
      );
    }
  }

  #changed() {
    if (this[kUpdate]) this[kUpdate](this.toString());
  }

  get size() {
    return this.#list.length;
  }

  append(name, value) {
    if (arguments.length < 2) throw missing('name', 'value');
    this.#list.push([`${name}`, `${value}`]);
    this.#changed();
  }

  delete(name, value) {
    if (arguments.length < 1) throw missing('name');
    this.#list = this.#list.filter(
      ([key, one]) => !(key === `${name}` && (value === undefined || one === `${value}`))
    );
    this.#changed();
  }

  get(name) {
    if (arguments.length < 1) throw missing('name');
    const found = this.#list.find(([key]) => key === `${name}`);
    return found ? found[1] : null;
  }

  getAll(name) {
    if (arguments.length < 1) throw missing('name');
    return this.#list.filter(([key]) => key === `${name}`).map(([, value]) => value);
  }

  has(name, value) {
    if (arguments.length < 1) throw missing('name');
    return this.#list.some(
      ([key, one]) => key === `${name}` && (value === undefined || one === `${value}`)
    );
  }

  set(name, value) {
    if (arguments.length < 2) throw missing('name', 'value');
    const at = this.#list.findIndex(([key]) => key === `${name}`);
    if (at === -1) {
      this.#list.push([`${name}`, `${value}`]);
    } else {
      this.#list[at][1] = `${value}`;
      this.#list = this.#list.filter(([key], i) => i <= at || key !== `${name}`);
    }
    this.#changed();
  }

  sort() {
    this.#list.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#changed();
  }

  forEach(callback, self) {
    if (typeof callback !== 'function') throw invalidArgType('callback', 'function', callback);
    for (const [name, value] of this.#list) callback.call(self, value, name, this);
  }

  *entries() {
    for (const [name, value] of this.#list) yield [name, value];
  }

  *keys() {
    for (const [name] of this.#list) yield name;
  }

  *values() {
    for (const [, value] of this.#list) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }

  toString() {
    return this.#list.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const parts = this.#list.map(
      ([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`
    );
    return parts.length === 0 ? 'URLSearchParams {}' : `URLSearchParams { ${parts.join(', ')} }`;
  }
}

module.exports = { URLSearchParams, kUpdate };
