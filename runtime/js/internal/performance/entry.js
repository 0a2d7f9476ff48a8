'use strict';
// What was measured: entries, who observes them, and those that stay until they are cleared.

const KEPT = new Set(['mark', 'measure', 'resource']);
const entries = [];
const observers = new Set();

// Programs can't make entries themselves, except marks.
const KEY = Symbol('key');

let partsOf;

class PerformanceEntry {
  #parts; // { name, entryType, startTime, duration } and what its class has beside that

  constructor(key, parts) {
    if (key !== KEY) {
      throw require('internal/errors/errors').withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR',
        'Illegal constructor');
    }
    this.#parts = parts;
  }

  static {
    partsOf = (entry) => {
      if (entry !== null && typeof entry === 'object' && #parts in entry) return entry.#parts;
      throw require('internal/errors/errors').withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
        'The "this" argument must be an instance of PerformanceEntry');
    };
  }

  toJSON() { return { ...partsOf(this) }; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return this;
    return `${this.constructor.name} ${inspect(this.toJSON(), { ...options,
      depth: options.depth === null ? null : options.depth - 1 })}`;
  }
}

// Accessors of what the entries of a class have.
function show(Class, names) {
  for (const name of names) {
    Object.defineProperty(Class.prototype, name, {
      get: Object.getOwnPropertyDescriptor({ get [name]() { return partsOf(this)[name]; } },
        name).get,
      enumerable: true, configurable: true,
    });
  }
}
show(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration']);

// A class whose entries say more of themselves.
function withDetail(Class) {
  show(Class, ['detail']);
  Object.defineProperty(Class.prototype, 'toJSON', { configurable: true, writable: true,
    value: PerformanceEntry.prototype.toJSON });
}

// Resources are kept up to a limit. What comes when it is reached waits until the program has been
// told, and may have made room.
const resources = { most: 250, waiting: [], isTelling: false, tell() {} };
const isFull = () => entries.filter((one) => one.entryType === 'resource').length >= resources.most;

function tellOfFull() {
  while (resources.waiting.length > 0) {
    const before = resources.waiting.length;
    if (isFull()) resources.tell();
    while (resources.waiting.length > 0 && !isFull()) entries.push(resources.waiting.shift());
    if (resources.waiting.length >= before) resources.waiting = [];
  }
  resources.isTelling = false;
}

function keep(entry) {
  if (entry.entryType !== 'resource' || (!resources.isTelling && !isFull())) {
    entries.push(entry);
    return;
  }
  resources.waiting.push(entry);
  if (resources.isTelling) return;
  resources.isTelling = true;
  setImmediate(tellOfFull);
}

function add(entry) {
  if (KEPT.has(entry.entryType)) keep(entry);
  for (const observer of observers) observer.take(entry);
  return entry;
}

const isObserved = (type) => {
  for (const observer of observers) if (observer.wants(type)) return true;
  return false;
};

function clear(type, name) {
  for (let i = entries.length - 1; i >= 0; i--) {
    if (entries[i].entryType === type && (name === undefined || entries[i].name === name)) {
      entries.splice(i, 1);
    }
  }
}

function tag(Class) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });
}
tag(PerformanceEntry);

module.exports = { KEY, tag, show, withDetail, PerformanceEntry, entries, observers, add,
  isObserved, clear, resources };
