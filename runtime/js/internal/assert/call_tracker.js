'use strict';
// assert.CallTracker: were functions called as often as they should be?

const { AssertionError } = require('internal/assert/error');
const { withCode, invalidArgValue } = require('internal/errors/errors');
const { validateUint32 } = require('internal/errors/validators');

const nothing = () => function() {}; // a function without a name

// The functions under watch, each with its own row: { name, expected, made, calls }. "made" is an
// error whose stack says where calls() was called.

function sentence({ name, expected, calls }) {
  return `Expected the ${name} function to be executed ${expected} time(s) but was executed ` +
    `${calls.length} time(s).`;
}

let hasWarned = false;

class CallTracker {
  #rows = new Map();

  constructor() {
    if (hasWarned) return;
    hasWarned = true;
    process.emitWarning('assert.CallTracker is deprecated.', 'DeprecationWarning', 'DEP0173');
  }

  #row(tracked) {
    const row = this.#rows.get(tracked);
    if (row === undefined) throw invalidArgValue('tracked', tracked, 'is not a tracked function');
    return row;
  }

  reset(tracked) {
    if (tracked !== undefined) this.#row(tracked).calls = [];
    else this.#rows.forEach((row) => { row.calls = []; });
  }

  getCalls(tracked) {
    return Object.freeze(this.#row(tracked).calls.slice());
  }

  calls(target, expected = 1) {
    if (process._exiting) {
      throw withCode(Error, 'ERR_UNAVAILABLE_DURING_EXIT',
        'Cannot call function in process exit handler');
    }
    let name = 'calls';
    if (typeof target === 'number') {
      expected = target;
      target = undefined;
    }
    if (target === undefined) target = nothing();
    else name = target.name || name;
    validateUint32(expected, 'expected', true);

    const row = { name, expected, made: new Error(), calls: [] };
    // Everything but a call goes to the function itself: its length, its fields, new.
    const tracked = new Proxy(target, {
      __proto__: null,
      apply(callee, thisArg, given) {
        row.calls.push(Object.freeze({ thisArg, arguments: Object.freeze(given.slice()) }));
        return Reflect.apply(callee, thisArg, given);
      },
    });
    this.#rows.set(tracked, row);
    return tracked;
  }

  report() {
    const wrong = [];
    this.#rows.forEach((row) => {
      const actual = row.calls.length;
      if (actual === row.expected) return;
      wrong.push({
        message: sentence(row), actual, expected: row.expected, operator: row.name, stack: row.made,
      });
    });
    return wrong;
  }

  verify() {
    const wrong = this.report();
    if (wrong.length === 0) return;
    const message = wrong.length === 1 ? wrong[0].message :
      'Functions were not called the expected number of times';
    const error = new AssertionError({ message });
    wrong.forEach((details, number) => {
      for (const [key, value] of Object.entries(details)) {
        error[`${key === 'stack' ? 'stack trace' : key} ${number}`] = value;
      }
    });
    throw error;
  }
}

module.exports = { CallTracker };
