'use strict';
// Functions, methods and accessors that remember how they were called.

const { invalidArgValue, validateBoolean, validateFunction, validateInteger, validateObject } =
  require('internal/errors/validators');

function defaultWork() {}

class MockFunctionContext {
  #calls = [];
  #once = new Map();
  #work;
  #restore;
  #times;

  constructor(work, restore, times) {
    this.#work = work;
    this.#restore = restore;
    this.#times = times;
  }

  get calls() { return [...this.#calls]; }

  callCount() { return this.#calls.length; }

  mockImplementation(work) {
    validateFunction(work, 'implementation');
    this.#work = work;
  }

  mockImplementationOnce(work, onCall) {
    validateFunction(work, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, work);
  }

  restore() {
    const { object, name, descriptor, original } = this.#restore;
    if (object !== undefined) {
      if (descriptor === undefined) delete object[name];
      else Object.defineProperty(object, name, descriptor);
    }
    if (original !== undefined) this.#work = original;
  }

  resetCalls() { this.#calls = []; }

  // Called through the proxy; not for programs.
  static next(context) {
    const number = context.#calls.length;
    const work = context.#once.get(number) ?? context.#work;
    context.#once.delete(number);
    if (number + 1 === context.#times) context.restore();
    return work;
  }

  static add(context, call) { context.#calls.push(call); }
}

const { next, add } = MockFunctionContext;
delete MockFunctionContext.next;
delete MockFunctionContext.add;

function proxyOf(original, context) {
  return new Proxy(original, {
    __proto__: null,
    apply(target, self, args) {
      const work = next(context);
      let result;
      let error;
      try {
        result = Reflect.apply(work, self, args);
      } catch (caught) {
        error = caught;
        throw caught;
      } finally {
        add(context, { arguments: args, error, result, stack: new Error(), target: undefined,
          this: self });
      }
      return result;
    },
    construct(target, args, made) {
      const work = next(context);
      let result;
      let error;
      try {
        result = Reflect.construct(work, args, made);
      } catch (caught) {
        error = caught;
        throw caught;
      } finally {
        add(context, { arguments: args, error, result, stack: new Error(), target,
          this: result });
      }
      return result;
    },
    get(target, name, receiver) {
      return name === 'mock' ? context : Reflect.get(target, name, receiver);
    },
  });
}

function descriptorOf(object, name) {
  for (let at = object; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return found;
  }
  return undefined;
}

function checkTimes(times) {
  if (times !== Infinity) validateInteger(times, 'options.times', 1);
}

function checkMember(object, name) {
  if (object === null || (typeof object !== 'object' && typeof object !== 'function')) {
    validateObject(object, 'object');
  }
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    const { invalidArgType } = require('internal/errors/errors');
    throw invalidArgType('methodName', ['string', 'symbol'], name);
  }
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    this.#timers ??= new (require('internal/test/mock_timers').MockTimers)();
    return this.#timers;
  }

  #set(original, work, restore, times) {
    const context = new MockFunctionContext(work, { ...restore, original }, times);
    this.#mocks.push({ context, restore });
    return proxyOf(original, context);
  }

  fn(original = function() {}, implementation = original, options = {}) {
    if (original !== null && typeof original === 'object') {
      options = original;
      original = function() {};
      implementation = original;
    } else if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { times = Infinity } = options;
    checkTimes(times);
    return this.#set(original, implementation, {}, times);
  }

  method(object, name, implementation = defaultWork, options = {}) {
    checkMember(object, name);
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = defaultWork;
    }
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    checkTimes(times);
    if (setter && getter) {
      throw invalidArgValue('options.setter', setter,
        "cannot be used with 'options.getter'");
    }
    const found = descriptorOf(object, name);
    const original = getter ? found?.get : setter ? found?.set : found?.value;
    if (typeof original !== 'function') {
      throw invalidArgValue('methodName', original, 'must be a method');
    }
    const work = implementation === defaultWork ? original : implementation;
    if (Object.getOwnPropertyDescriptor(object, name)?.configurable === false) {
      throw new TypeError(`Cannot redefine property: ${String(name)}`);
    }
    const restore = { object, name, descriptor: found };
    const mocked = this.#set(original, work, restore, times);
    const made = { configurable: found.configurable, enumerable: found.enumerable };
    if (getter || setter) {
      made.get = getter ? mocked : found.get;
      made.set = setter ? mocked : found.set;
    } else {
      made.writable = found.writable;
      made.value = mocked;
    }
    Object.defineProperty(object, name, made);
    return mocked;
  }

  #accessor(kind, object, name, implementation, options) {
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = defaultWork;
    } else {
      validateObject(options, 'options');
    }
    if (options[kind] === false) {
      throw invalidArgValue(`options.${kind}`, false, 'cannot be false');
    }
    return this.method(object, name, implementation, { ...options, [kind]: true });
  }

  getter(object, name, implementation = defaultWork, options = {}) {
    return this.#accessor('getter', object, name, implementation, options);
  }

  setter(object, name, implementation = defaultWork, options = {}) {
    return this.#accessor('setter', object, name, implementation, options);
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() { for (const { context } of this.#mocks) context.restore(); }
}

module.exports = { MockTracker };
