'use strict';
// Functions, methods and accessors that remember how they were called.
//
// What a mock does next is in its plan: { original, current, once, limit, calls, undo }. "once"
// maps the number of a call to what that one call does, "limit" is the call after which the mock is
// undone, and "undo" puts back what the mock replaced.

const { invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } =
  require('internal/errors/validators');

class MockFunctionContext {
  #plan;

  constructor(plan) {
    this.#plan = plan;
  }

  get calls() {
    return [...this.#plan.calls];
  }

  callCount() {
    return this.#plan.calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#plan.current = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const earliest = this.callCount();
    onCall ??= earliest;
    validateInteger(onCall, 'onCall', earliest);
    this.#plan.once.set(onCall, implementation);
  }

  restore() {
    restore(this.#plan);
  }

  resetCalls() {
    this.#plan.calls = [];
  }
}

// A mock of a property goes away; a function that was made to be a mock does what it was made from.
function restore(plan) {
  if (plan.undo) plan.undo();
  else plan.current = plan.original;
}

// The function for the call that begins now.
function work(plan) {
  const number = plan.calls.length;
  const once = plan.once.get(number);
  plan.once.delete(number);
  const chosen = once ?? plan.current;
  if (number + 1 === plan.limit) restore(plan);
  return chosen;
}

// Runs a call, and writes it down when it has ended, however it did.
function record(plan, given, target, receiver, run) {
  const call = {
    __proto__: null, arguments: given, error: undefined, result: undefined, stack: new Error(),
    target, this: receiver,
  };
  try {
    call.result = run();
    if (target !== undefined) call.this = call.result;
    return call.result;
  } catch (error) {
    call.error = error;
    throw error;
  } finally {
    plan.calls.push(call);
  }
}

function mocked(plan) {
  const context = new MockFunctionContext(plan);
  return new Proxy(plan.original, {
    __proto__: null,
    get(original, key, receiver) {
      return key === 'mock' ? context : Reflect.get(original, key, receiver);
    },
    apply(original, receiver, given) {
      const chosen = work(plan);
      return record(plan, given, undefined, receiver, () => Reflect.apply(chosen, receiver, given));
    },
    construct(original, given, made) {
      const chosen = work(plan);
      return record(plan, given, original, undefined, () => Reflect.construct(chosen, given, made));
    },
  });
}

// An object in the place of an argument that may be left out is the options.
function isOptions(value) {
  return value !== null && typeof value === 'object';
}

function limitOf({ times = Infinity }) {
  if (times !== Infinity) validateInteger(times, 'options.times', 1);
  return times;
}

// Which part of a property is mocked: its value, or one of its accessors.
function partOf({ getter = false, setter = false }) {
  validateBoolean(getter, 'options.getter');
  validateBoolean(setter, 'options.setter');
  if (getter && setter) {
    throw invalidArgValue('options.setter', setter, "cannot be used with 'options.getter'");
  }
  return getter ? 'get' : setter ? 'set' : 'value';
}

function findProperty(object, name) {
  for (let holder = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
    const property = Object.getOwnPropertyDescriptor(holder, name);
    if (property) return property;
  }
}

class MockTracker {
  #plans = [];
  #timers;

  get timers() {
    this.#timers ??= new (require('internal/test/mock_timers').MockTimers)();
    return this.#timers;
  }

  #mock(original, current, limit, undo) {
    const plan = { original, current, limit, undo, once: new Map(), calls: [] };
    this.#plans.push(plan);
    return mocked(plan);
  }

  fn(original = function() {}, implementation, options) {
    if (isOptions(original)) return this.fn(undefined, undefined, original);
    if (isOptions(implementation)) [implementation, options] = [undefined, implementation];
    if (implementation === undefined) implementation = original;
    if (options === undefined) options = {};
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    return this.#mock(original, implementation, limitOf(options));
  }

  method(object, methodName, implementation = undefined, options = {}) {
    if (typeof methodName !== 'string' && typeof methodName !== 'symbol') {
      throw invalidArgType('methodName', ['string', 'symbol'], methodName);
    }
    if (typeof object !== 'function') validateObject(object, 'object');
    if (isOptions(implementation)) [implementation, options] = [undefined, implementation];
    if (implementation !== undefined) validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const part = partOf(options);
    const limit = limitOf(options);

    const before = findProperty(object, methodName);
    const original = before?.[part];
    if (typeof original !== 'function') {
      throw invalidArgValue('methodName', original, 'must be a method');
    }
    const putBack = () => Object.defineProperty(object, methodName, before);
    const mock = this.#mock(original, implementation ?? original, limit, putBack);
    Object.defineProperty(object, methodName, { ...before, [part]: mock });
    return mock;
  }

  // method() for one accessor, which the options may name but not switch off.
  #accessor(which, object, methodName, implementation, options) {
    if (isOptions(implementation)) [implementation, options] = [undefined, implementation];
    validateObject(options, 'options');
    if (options[which] === false) {
      throw invalidArgValue(`options.${which}`, false, 'cannot be false');
    }
    return this.method(object, methodName, implementation, { ...options, [which]: true });
  }

  getter(object, methodName, implementation = undefined, options = {}) {
    return this.#accessor('getter', object, methodName, implementation, options);
  }

  setter(object, methodName, implementation = undefined, options = {}) {
    return this.#accessor('setter', object, methodName, implementation, options);
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#plans = [];
  }

  restoreAll() {
    this.#plans.forEach(restore);
  }
}

module.exports = { MockTracker };
