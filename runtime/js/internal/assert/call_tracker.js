'use strict';
// assert.CallTracker: were functions called as often as they should be?

const { AssertionError } = require('internal/assert/error');
const { invalidArgValue, validateUint32 } = require('internal/errors/validators');

class CallTrackerContext {
  #expected;
  #calls = [];
  #name;
  #stack;

  constructor({ expected, stackTrace, name }) {
    this.#expected = expected;
    this.#stack = stackTrace;
    this.#name = name;
  }

  track(thisArg, args) { this.#calls.push(Object.freeze({ thisArg, arguments: args })); }

  get calls() { return [...this.#calls]; }

  get delta() { return this.#calls.length - this.#expected; }

  reset() { this.#calls = []; }

  report() {
    if (this.delta === 0) return undefined;
    return {
      message: `Expected the ${this.#name} function to be executed ${this.#expected} time(s) but ` +
        `was executed ${this.#calls.length} time(s).`,
      actual: this.#calls.length,
      expected: this.#expected,
      operator: this.#name,
      stack: this.#stack,
    };
  }
}

let isWarned = false;

class CallTracker {
  #checks = new Set();
  #tracked = new WeakMap();

  constructor() {
    if (isWarned) return;
    isWarned = true;
    process.emitWarning('assert.CallTracker is deprecated.', 'DeprecationWarning', 'DEP0173');
  }

  #contextOf(tracked) {
    if (!this.#tracked.has(tracked)) {
      throw invalidArgValue('tracked', tracked, 'is not a tracked function');
    }
    return this.#tracked.get(tracked);
  }

  reset(tracked) {
    if (tracked === undefined) {
      for (const check of this.#checks) check.reset();
      return;
    }
    this.#contextOf(tracked).reset();
  }

  getCalls(tracked) {
    const calls = this.#contextOf(tracked).calls.map((call) => {
      Object.freeze(call.arguments);
      return Object.freeze(call);
    });
    return Object.freeze(calls);
  }

  calls(fn, expected = 1) {
    if (process._exiting) {
      throw require('internal/errors/errors').withCode(Error, 'ERR_UNAVAILABLE_DURING_EXIT',
        'Cannot call function in process exit handler');
    }
    if (typeof fn === 'number') {
      expected = fn;
      fn = () => {};
    } else if (fn === undefined) {
      fn = () => {};
    }
    validateUint32(expected, 'expected', true);
    const context = new CallTrackerContext({ expected, stackTrace: new Error(),
      name: fn.name || 'calls' });
    const tracked = new Proxy(fn, {
      __proto__: null,
      apply(target, self, args) {
        context.track(self, args);
        return Reflect.apply(target, self, args);
      },
    });
    this.#checks.add(context);
    this.#tracked.set(tracked, context);
    return tracked;
  }

  report() {
    const found = [];
    for (const check of this.#checks) {
      const message = check.report();
      if (message !== undefined) found.push(message);
    }
    return found;
  }

  verify() {
    const found = this.report();
    if (found.length === 0) return;
    throw new AssertionError({
      message: found.length === 1 ? found[0].message
        : 'Functions were not called the expected number of times',
      details: found,
    });
  }
}

module.exports = { CallTracker };
