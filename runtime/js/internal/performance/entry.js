'use strict';
// What was measured: entries, who observes them, and those that stay until they are cleared.

const KEPT = new Set(['mark', 'measure', 'resource']);
const entries = [];
const observers = new Set();

// Programs can't make entries themselves, except marks.
const KEY = Symbol('key');

class PerformanceEntry {
  constructor(key, name, entryType, startTime, duration, detail) {
    if (key !== KEY) {
      throw require('internal/errors/errors').withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR',
        'Illegal constructor');
    }
    Object.assign(this, { name, entryType, startTime, duration, detail });
  }

  toJSON() { return { ...this }; }
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

module.exports = { KEY, tag, PerformanceEntry, entries, observers, add, isObserved, clear,
  resources };
