'use strict';
// The head of a request or an answer of fetch.

class Headers {
  #list = new Map();

  constructor(init) {
    if (init instanceof Headers || init instanceof Map || Array.isArray(init)) {
      for (const [name, value] of init) this.append(name, value);
    } else if (init !== undefined && init !== null) {
      for (const name of Object.keys(init)) this.append(name, init[name]);
    }
  }

  append(name, value) {
    const key = `${name}`.toLowerCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(key))
      throw new TypeError(`Headers.append: ${name} is an invalid header name.`);
    const all = this.#list.get(key) ?? [];
    this.#list.set(key, [...all, `${value}`.trim()]);
  }

  delete(name) { this.#list.delete(`${name}`.toLowerCase()); }

  get(name) { return this.#list.get(`${name}`.toLowerCase())?.join(', ') ?? null; }

  getSetCookie() { return this.#list.get('set-cookie') ?? []; }

  has(name) { return this.#list.has(`${name}`.toLowerCase()); }

  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }

  forEach(work, self) { for (const [name, value] of this) work.call(self, value, name, this); }

  * entries() {
    for (const name of [...this.#list.keys()].sort()) {
      if (name !== 'set-cookie') yield [name, this.get(name)];
      else for (const value of this.#list.get(name)) yield [name, value];
    }
  }

  * keys() { for (const [name] of this) yield name; }

  * values() { for (const [, value] of this) yield value; }

  [Symbol.iterator]() { return this.entries(); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `Headers ${inspect(Object.fromEntries(this), options)}`;
  }
}

Object.defineProperty(Headers.prototype, Symbol.toStringTag,
  { value: 'Headers', configurable: true });

module.exports = { Headers };
