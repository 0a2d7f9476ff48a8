'use strict';
const { inspect } = require('internal/inspect/inspect');
const { isDeepEqual } = require('internal/util/compare');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { AssertionError } = require('internal/assert/error');

// They may be of another context.
const isError = (value) => value instanceof Error || binding('util').isError(value);
const isRegExp = (value) => value instanceof RegExp ||
  (typeof value === 'object' && require('util/types').isRegExp(value));

function fail(options) {
  if (options.message instanceof Error) throw options.message;
  throw new AssertionError(options);
}

function assert(...args) {
  ok(assert, ...args);
}

function ok(above, ...args) {
  const [value, message] = args;
  if (value) return;
  let generated = false;
  let text = message;
  if (args.length === 0) {
    generated = true;
    text = 'No value argument passed to `assert.ok()`';
  } else if (message === undefined) {
    generated = true;
    text = describeCall(above);
  }
  if (isError(text)) throw text;
  const error = new AssertionError({ actual: value, expected: true, message: text, operator: '==',
    stackStartFn: above });
  error.generatedMessage = generated;
  throw error;
}

// "The expression evaluated to a falsy value", with the source of the call when it can be read.
function describeCall(above) {
  const holder = {};
  const { stackTraceLimit } = Error;
  if (stackTraceLimit === 0) Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, above);
  if (stackTraceLimit === 0) Error.stackTraceLimit = 0;
  const call = require('internal/assert/call').callAt(holder.stack);
  return call && `The expression evaluated to a falsy value:\n\n  ${call}\n`;
}

function binary(name, test) {
  const check = { [name](actual, expected, message) {
    if (arguments.length < 2) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS',
        'The "actual" and "expected" arguments must be specified');
    }
    if (!test(actual, expected)) {
      fail({ actual, expected, message, operator: OPERATORS[name] || name, stackStartFn: check });
    }
  } }[name];
  assert[name] = check;
}

const OPERATORS = { equal: '==', notEqual: '!=' };

assert.ok = function okMethod(...args) {
  ok(okMethod, ...args);
};
Object.defineProperty(assert.ok, 'name', { value: 'ok' });
// eslint-disable-next-line eqeqeq
binary('equal', (a, b) => a == b || (a !== a && b !== b));
// eslint-disable-next-line eqeqeq
binary('notEqual', (a, b) => !(a == b || (a !== a && b !== b)));
binary('strictEqual', Object.is);
binary('notStrictEqual', (a, b) => !Object.is(a, b));
binary('deepEqual', (a, b) => isDeepEqual(a, b, false));
binary('notDeepEqual', (a, b) => !isDeepEqual(a, b, false));
binary('deepStrictEqual', (a, b) => isDeepEqual(a, b, true));
binary('notDeepStrictEqual', (a, b) => !isDeepEqual(a, b, true));

let hasWarnedOfFail = false;
function warnOfFail() {
  if (hasWarnedOfFail) return;
  hasWarnedOfFail = true;
  process.emitWarning('assert.fail() with more than one argument is deprecated. Please use ' +
    'assert.strictEqual() instead or only pass a message.', 'DeprecationWarning', 'DEP0094');
}

assert.fail = function failMethod(actual, expected, message, operator, stackStartFn) {
  const count = arguments.length;
  if (count > 1) warnOfFail();
  const text = count <= 1 ? actual ?? 'Failed' : message;
  if (text instanceof Error) throw text;
  const error = new AssertionError({
    actual: count > 1 ? actual : undefined,
    expected: count > 1 ? expected : undefined,
    message: text,
    operator: operator ?? (count === 2 ? '!=' : 'fail'),
    stackStartFn: stackStartFn ?? failMethod,
  });
  error.generatedMessage = count === 0 || (count > 1 && message === undefined);
  throw error;
};
Object.defineProperty(assert.fail, 'name', { value: 'fail' });

function wrongClass(actual, expected) {
  const head = `The error is expected to be an instance of "${expected.name}". Received `;
  if (!isError(actual)) return `${head}"${inspect(actual, { depth: -1 })}"`;
  const name = actual.constructor?.name ?? actual.name;
  return `${head}${name === expected.name
    ? 'an error with identical name but a different prototype.' : `"${name}"`}${
    `\n\nError message:\n\n${actual.message}`}`;
}

function matchesExpectation(actual, expected, message, above) {
  if (expected === undefined) return;
  if (typeof expected === 'function') {
    if (expected.prototype !== undefined && actual instanceof expected) return;
    if (Error.isPrototypeOf(expected) || expected === Error) {
      throwUnexpected(actual, expected, message, above, wrongClass(actual, expected));
    }
    const result = Reflect.apply(expected, {}, [actual]);
    if (result !== true) {
      throwUnexpected(actual, expected, message, above,
        `The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to ` +
        `return "true". Received ${inspect(result)}\n\nCaught error:\n\n${
          actual instanceof Error ? actual.toString() : inspect(actual)}`);
    }
    return;
  }
  if (isRegExp(expected)) {
    const text = String(actual);
    if (expected.test(text)) return;
    throwUnexpected(actual, expected, message, above,
      `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${
        inspect(text)}\n`);
  }
  matchesObject(actual, expected, message, above);
}

// What a difference between an error and an object of expectations shows.
class Comparison {
  constructor(of, keys, actual) {
    for (const key of keys) {
      if (!(key in of)) continue;
      const isMatch = actual !== undefined && typeof actual[key] === 'string' &&
        isRegExp(of[key]) && of[key].test(actual[key]);
      this[key] = isMatch ? actual[key] : of[key];
    }
  }
}

function matchesObject(actual, expected, message, above) {
  const keys = Object.keys(expected);
  if (isError(expected)) keys.push('name', 'message');
  else if (keys.length === 0)
    throw invalidArgValue('error', expected, 'may not be an empty object');
  const isComparable = (typeof actual === 'object' && actual !== null) ||
    typeof actual === 'function';
  const isMet = (key) => key in actual && ((typeof actual[key] === 'string' &&
    isRegExp(expected[key]) && expected[key].test(actual[key])) ||
    isDeepEqual(actual[key], expected[key], true));
  if (isComparable && keys.every(isMet)) return;
  if (message && (isComparable || message instanceof Error))
    throwUnexpected(actual, expected, message, above);
  const error = new AssertionError({
    actual: isComparable ? new Comparison(actual, keys) : actual,
    expected: isComparable ? new Comparison(expected, keys, actual) : expected,
    operator: 'deepStrictEqual', stackStartFn: above, message,
  });
  error.actual = actual;
  error.expected = expected;
  error.operator = above.name;
  throw error;
}

function throwUnexpected(actual, expected, message, above, text) {
  if (message instanceof Error) throw message;
  const error = new AssertionError({ actual, expected, message: message || text,
    operator: above.name, stackStartFn: above });
  error.generatedMessage = !message;
  throw error;
}

const nothing = Symbol('nothing thrown');

// A string as the second argument is a message, which is easily mistaken for an expectation.
function checkExpectation(actual, expected, count) {
  const isMessage = typeof expected === 'string';
  if ((isMessage && count > 1) || (!isMessage && expected !== undefined && expected !== null &&
      typeof expected !== 'object' && typeof expected !== 'function')) {
    throw invalidArgType('error', ['Object', 'Error', 'Function', 'RegExp'], expected);
  }
  if (!isMessage) return;
  const isInside = typeof actual === 'object' && actual !== null;
  if (expected !== (isInside ? actual.message : actual)) return;
  throw withCode(TypeError, 'ERR_AMBIGUOUS_ARGUMENT', `The "error/message" argument is ambiguous. ${
    isInside ? 'The error message' : 'The error'} "${expected}" is identical to the message.`);
}

function checkThrown(above, actual, ...args) {
  let [expected, message] = args;
  checkExpectation(actual, expected, args.length);
  if (typeof expected === 'string') {
    message = expected;
    expected = undefined;
  }
  if (actual === nothing) {
    let details = '';
    if (expected && expected.name) details += ` (${expected.name})`;
    details += message ? `: ${message}` : '.';
    fail({
      actual: undefined,
      expected,
      operator: above.name,
      stackStartFn: above,
      message: `Missing expected ${above.name === 'rejects' ? 'rejection' : 'exception'}${details}`,
    });
  }
  matchesExpectation(actual, expected, message, above);
}

// A class of errors, a function that judges, or a pattern.
function isOfKind(actual, expected) {
  if (isRegExp(expected)) return expected.test(String(actual));
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  return !Error.isPrototypeOf(expected) && Reflect.apply(expected, {}, [actual]) === true;
}

function checkNotThrown(above, actual, expected, message) {
  if (actual === nothing) return;
  if (typeof expected === 'string') {
    message = expected;
    expected = undefined;
  }
  if (expected !== undefined && typeof expected !== 'function' && !isRegExp(expected))
    throw invalidArgType('expected', ['Function', 'RegExp'], expected);
  if (expected === undefined || isOfKind(actual, expected)) {
    const details = message ? `: ${message}` : '.';
    fail({ actual, expected, operator: above.name, stackStartFn: above,
      message: `Got unwanted ${above.name === 'doesNotReject' ? 'rejection' : 'exception'}${
        details}\nActual message: "${actual && actual.message}"` });
  }
  throw actual;
}

function thrownBy(work) {
  if (typeof work !== 'function') throw invalidArgType('fn', 'function', work);
  try {
    work();
  } catch (error) {
    return error;
  }
  return nothing;
}

function isThenable(value) {
  return value !== null && typeof value === 'object' && typeof value.then === 'function' &&
    typeof value.catch === 'function';
}

async function rejectionOf(work) {
  let promise = work;
  if (typeof work === 'function') {
    promise = work();
    if (!isThenable(promise)) {
      throw withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
        'Expected instance of Promise to be returned from the "promiseFn" function but got ' +
        `${require('internal/errors/errors').received(promise).replace(' Received ', '')}.`);
    }
  } else if (!isThenable(work)) {
    throw invalidArgType('promiseFn', ['Function', 'Promise'], work);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return nothing;
}

assert.throws = function throws(work, ...args) {
  checkThrown(throws, thrownBy(work), ...args);
};
assert.doesNotThrow = function doesNotThrow(work, ...args) {
  checkNotThrown(doesNotThrow, thrownBy(work), ...args);
};
assert.rejects = async function rejects(work, ...args) {
  checkThrown(rejects, await rejectionOf(work), ...args);
};
assert.doesNotReject = async function doesNotReject(work, ...args) {
  checkNotThrown(doesNotReject, await rejectionOf(work), ...args);
};

assert.ifError = function ifError(value) {
  if (value === null || value === undefined) return;
  let message = 'ifError got unwanted exception: ';
  if (typeof value === 'object' && typeof value.message === 'string') {
    message +=
      value.message.length === 0 && value.constructor ? value.constructor.name : value.message;
  } else {
    message += inspect(value);
  }
  const error = new AssertionError({ actual: value, expected: null, operator: 'ifError', message,
    stackStartFn: ifError });
  throw error;
};

function matching(name, wanted, text) {
  assert[name] = { [name](string, regexp, message) {
    if (!isRegExp(regexp)) throw invalidArgType('regexp', 'RegExp', regexp);
    if (typeof string === 'string' && regexp.test(string) === wanted) return;
    if (message instanceof Error) throw message;
    const generated = !message;
    const error = new AssertionError({
      actual: string,
      expected: regexp,
      operator: name,
      stackStartFn: assert[name],
      message:
        message ||
        (typeof string !== 'string'
          ? 'The "string" argument must be of type string. ' +
            `Received type ${typeof string} (${inspect(string)})`
          : `${text} ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`),
    });
    error.generatedMessage = generated;
    throw error;
  } }[name];
}
matching('match', true, 'The input did not match the regular expression');
matching('doesNotMatch', false, 'The input was expected to not match the regular expression');

assert.AssertionError = AssertionError;
Object.defineProperty(assert, 'CallTracker', {
  configurable: true,
  enumerable: true,
  get: () => require('internal/assert/call_tracker').CallTracker,
});
function strict(...args) {
  ok(strict, ...args);
}
assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
module.exports = assert;
