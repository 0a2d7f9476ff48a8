'use strict';
// PerformanceObserver: is given the entries of the types that it asked for, in a later turn.

const { invalidArgType, invalidArgValue, missingArgs } = require('internal/errors/errors');
const { validateFunction, validateObject } = require('internal/errors/validators');
const { expose } = require('internal/events/target');
const { entries, observers } = require('internal/performance/entry');

const SUPPORTED = Object.freeze(['dns', 'function', 'gc', 'http', 'http2', 'mark', 'measure',
  'net', 'resource']);

// What others tell about only while somebody observes it.
const MEASURED = ['dns', 'http', 'net'];

const byTime = (list) => [...list].sort((a, b) => a.startTime - b.startTime);

class PerformanceObserverEntryList {
  #list;

  constructor(list) { this.#list = byTime(list); }

  getEntries() { return [...this.#list]; }

  getEntriesByType(type) {
    if (arguments.length === 0) throw missingArgs('type');
    return this.#list.filter((one) => one.entryType === `${type}`);
  }

  getEntriesByName(name, type = undefined) {
    if (arguments.length === 0) throw missingArgs('name');
    return this.#list.filter((one) => one.name === `${name}` &&
      (type === undefined || type === null || one.entryType === `${type}`));
  }
}
expose(PerformanceObserverEntryList, 'PerformanceObserverEntryList');

function checkTypes({ entryTypes, type }) {
  if (entryTypes === undefined && type === undefined) {
    throw missingArgs('options.entryTypes', 'options.type');
  }
  if (entryTypes !== undefined && type !== undefined) {
    throw invalidArgValue('options.entryTypes', entryTypes,
      'options.entryTypes can not set with options.type together');
  }
  if (entryTypes !== undefined && !Array.isArray(entryTypes)) {
    throw invalidArgType('options.entryTypes', 'string[]', entryTypes);
  }
}

class PerformanceObserver {
  #callback;
  #mode; // "multiple" of entryTypes, or "single" of type
  #types = new Set();
  #waiting = [];
  #isPending = false;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes() { return SUPPORTED; }

  // What internal/performance_entry asks and gives.
  wants(type) { return this.#types.has(type); }

  take(entry) {
    if (!this.wants(entry.entryType)) return;
    this.#waiting.push(entry);
    this.#tellLater();
  }

  #tellLater() {
    if (this.#isPending) return;
    this.#isPending = true;
    setImmediate(() => {
      this.#isPending = false;
      const list = this.takeRecords();
      if (list.length === 0) return;
      Reflect.apply(this.#callback, this, [new PerformanceObserverEntryList(list), this]);
    });
  }

  #setMode(mode) {
    this.#mode ??= mode;
    if (this.#mode === mode) return;
    const { DOMException } = require('internal/errors/dom_exception');
    throw new DOMException(`PerformanceObserver can not change to ${mode} observation${
      mode === 'multiple' ? 's' : ''}`, 'InvalidModificationError');
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { entryTypes, type, buffered } = options;
    checkTypes({ entryTypes, type });
    this.#setMode(entryTypes === undefined ? 'single' : 'multiple');
    if (entryTypes !== undefined) {
      this.#waiting = [];
      this.#types = new Set(entryTypes.filter((one) => SUPPORTED.includes(one)));
    } else if (SUPPORTED.includes(type)) {
      this.#types.add(type);
      if (buffered) {
        this.#waiting.push(...entries.filter((one) => one.entryType === type));
        this.#tellLater();
      }
    }
    if (MEASURED.some((one) => this.#types.has(one)))
      require('internal/diagnostics/told_channels').measures =
        require('internal/performance/measured');
    if (this.#types.size > 0) observers.add(this);
    else this.disconnect();
  }

  takeRecords() {
    const list = this.#waiting;
    this.#waiting = [];
    return list;
  }

  disconnect() {
    observers.delete(this);
    this.#waiting = [];
    this.#types.clear();
    this.#mode = undefined;
  }
}
for (const name of ['wants', 'take']) {
  Object.defineProperty(PerformanceObserver.prototype, name, { enumerable: false });
}
expose(PerformanceObserver, 'PerformanceObserver', ['observe', 'takeRecords', 'disconnect']);

module.exports = { PerformanceObserver, PerformanceObserverEntryList };
