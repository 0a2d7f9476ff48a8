'use strict';
// What was measured: entries, who observes them, and those that stay until they are cleared.

const KEPT = new Set(['mark', 'measure', 'resource']);
const entries = [];
const observers = new Set();

class PerformanceEntry {
  constructor(name, entryType, startTime, duration, detail) {
    Object.assign(this, { name, entryType, startTime, duration, detail });
  }

  toJSON() { return { ...this }; }
}

function add(entry) {
  if (KEPT.has(entry.entryType)) entries.push(entry);
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

module.exports = { PerformanceEntry, entries, observers, add, isObserved, clear };
