'use strict';
const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateObject, validateStringArray } = require('internal/errors/validators');

if (binding('worker').startData() !== undefined) {
  throw withCode(Error, 'ERR_TRACE_EVENTS_UNAVAILABLE', 'Trace events are unavailable');
}

const MOST = 10; // that nobody asks about

function events() { return require('internal/trace/events'); }

class Tracing {
  #entry;
  #isEnabled = false;

  constructor(list) { this.#entry = { list }; }

  enable() {
    if (this.#isEnabled) return;
    this.#isEnabled = true;
    const { tracings, watch } = events();
    tracings.add(this.#entry);
    watch();
    if (tracings.size > MOST) {
      process.emitWarning('Possible trace_events memory leak detected. There are more than ' +
        `${MOST} enabled Tracing objects.`);
    }
  }

  disable() {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    events().tracings.delete(this.#entry);
    events().changed();
  }

  get enabled() { return this.#isEnabled; }

  get categories() { return this.#entry.list.join(','); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Tracing ${inspect({ enabled: this.enabled, categories: this.categories }, options)}`;
  }
}

function createTracing(options) {
  validateObject(options, 'options');
  if (!Array.isArray(options.categories)) {
    throw invalidArgType('options.categories', 'Array', options.categories);
  }
  validateStringArray(options.categories, 'options.categories');
  if (options.categories.length === 0) {
    throw withCode(TypeError, 'ERR_TRACE_EVENTS_CATEGORY_REQUIRED',
      'At least one category is required');
  }
  return new Tracing([...options.categories]);
}

function getEnabledCategories() {
  const list = events().enabled();
  return list.length === 0 ? undefined : list.join(',');
}

module.exports = { createTracing, getEnabledCategories };
