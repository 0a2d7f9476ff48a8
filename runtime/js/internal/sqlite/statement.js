'use strict';
// StatementSync: a statement with its parameters and how its rows are read.

const native = binding('sqlite');
const { boolean, illegal, isObject, state } = require('internal/sqlite/checks');

const BIGINTS = 1;
const ARRAYS = 2;
const kMake = Symbol('kMake');

// Names without their first letter: name -> index, or the two that it could be.
function bareNames(names) {
  const bare = new Map();
  names.forEach((full, i) => {
    if (full === null) return;
    const name = full.slice(1);
    const before = bare.get(name);
    if (before === undefined) bare.set(name, { index: i + 1, full });
    else if (before.full !== full) bare.set(name, { ...before, other: full });
  });
  return bare;
}

class StatementSync {
  #box;

  #owner;

  #functions;

  #flags = 0;

  #allowsBare = true;

  #allowsUnknown = false;

  #names;

  #bare;

  constructor(key, owner, functions, box, options) {
    if (key !== kMake) throw illegal();
    this.#owner = owner; // a database lives as long as its statements
    this.#functions = functions;
    this.#box = box;
    this.#flags = (options.readBigInts ? BIGINTS : 0) | (options.returnArrays ? ARRAYS : 0);
    this.#allowsBare = options.allowBareNamedParameters;
    this.#allowsUnknown = options.allowUnknownNamedParameters;
  }

  #indexOf(name) {
    this.#names ??= native.parameters(this.#box);
    const at = this.#names.indexOf(name);
    if (at >= 0) return at + 1;
    if (this.#allowsBare) {
      this.#bare ??= bareNames(this.#names);
      const found = this.#bare.get(name);
      if (found?.other !== undefined) {
        throw state(`Cannot create bare named parameter '${name}' because of conflicting names ` +
          `'${found.full}' and '${found.other}'.`);
      }
      if (found !== undefined) return found.index;
    }
    if (this.#allowsUnknown) return 0;
    throw state(`Unknown named parameter '${name}'`);
  }

  // [index, value, ...]: names from an object that comes first, the others in order.
  #bind(args) {
    native.reset(this.#box);
    const flat = [];
    let first = 0;
    const [named] = args;
    if (isObject(named) && !ArrayBuffer.isView(named) && !(named instanceof ArrayBuffer)) {
      first = 1;
      for (const name of Object.keys(named)) {
        const index = this.#indexOf(name);
        const value = named[name];
        if (index > 0) flat.push(index, value);
      }
    }
    if (args.length > first) {
      this.#names ??= native.parameters(this.#box);
      let index = 0;
      for (let i = first; i < args.length; i++) {
        // Those with names are passed over, if names were given.
        do index++;
        while (first === 1 && this.#names[index - 1] != null &&
               this.#names[index - 1][0] !== '?');
        flat.push(index, args[i]);
      }
    }
    native.bind(this.#box, flat);
  }

  all(...args) {
    this.#bind(args);
    return native.all(this.#box, this.#functions, this.#flags);
  }

  get(...args) {
    this.#bind(args);
    const row = native.step(this.#box, this.#functions, this.#flags);
    if (row !== undefined) native.reset(this.#box);
    return row;
  }

  run(...args) {
    this.#bind(args);
    return native.run(this.#box, this.#functions, this.#flags);
  }

  iterate(...args) {
    this.#bind(args);
    return new StatementSyncIterator(
      () => native.step(this.#box, this.#functions, this.#flags), () => native.reset(this.#box));
  }

  columns() { return native.columns(this.#box); }

  setAllowBareNamedParameters(enabled) {
    native.parameters(this.#box);
    this.#allowsBare = boolean(enabled, 'allowBareNamedParameters');
  }

  setAllowUnknownNamedParameters(enabled) {
    native.parameters(this.#box);
    this.#allowsUnknown = boolean(enabled, 'enabled');
  }

  #setFlag(flag, isOn) {
    native.parameters(this.#box);
    this.#flags = isOn ? this.#flags | flag : this.#flags & ~flag;
  }

  setReadBigInts(enabled) { this.#setFlag(BIGINTS, boolean(enabled, 'readBigInts')); }

  setReturnArrays(enabled) { this.#setFlag(ARRAYS, boolean(enabled, 'returnArrays')); }

  get sourceSQL() { return native.sql(this.#box, false); }

  get expandedSQL() { return native.sql(this.#box, true); }
}

const result = (done, value) => Object.assign(Object.create(null), { done, value });

class StatementSyncIterator extends (globalThis.Iterator ?? Object) {
  #next;

  #reset;

  #isDone = false;

  constructor(next, reset) {
    super();
    this.#next = next;
    this.#reset = reset;
  }

  next() {
    if (this.#isDone) return result(true, null);
    const row = this.#next();
    if (row !== undefined) return result(false, row);
    this.#isDone = true;
    return result(true, null);
  }

  return() {
    this.#reset();
    this.#isDone = true;
    return result(true, null);
  }

  [Symbol.iterator]() { return this; }
}

module.exports = { StatementSync,
  makeStatement: (...args) => new StatementSync(kMake, ...args) };
