'use strict';
// Timers and dates whose time a test moves.

const timers = require('timers');
const promises = require('timers/promises');
const { AbortError, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateNumber, validateObject, validateArray, validateStringArray } =
  require('internal/errors/validators');

const APIS = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait'];
const RealDate = Date;
let isTold = false;

function invalidState(message) {
  return withCode(Error, 'ERR_INVALID_STATE', `Invalid state: ${message}`);
}

class Timer {
  #owner;

  constructor(owner, fields) {
    this.#owner = owner;
    Object.assign(this, fields);
    for (const name of ['fn', 'args', 'at', 'every', 'isDone']) {
      Object.defineProperty(this, name, { enumerable: false });
    }
  }

  hasRef() { return true; }

  ref() { return this; }

  unref() { return this; }

  refresh() {
    this.#owner.refresh(this);
    return this;
  }

  close() { this.#owner.clear(this); }

  [Symbol.toPrimitive]() { return this.id; }

  [Symbol.dispose]() { this.#owner.clear(this); }
}
Object.defineProperty(Timer, 'name', { value: 'Timeout' });

// The timers that wait, by their time and then by when they were made.
class Clock {
  now = 0;
  #waiting = [];
  #ids = 0;

  add(fn, delay, args, every) {
    const id = ++this.#ids;
    const timer = new Timer(this, { id, fn, args, every, isDone: false, at: 0 });
    timer.delay = delay;
    Object.defineProperty(timer, 'delay', { enumerable: false });
    timer.at = this.now + delay;
    this.#waiting.push(timer);
    return timer;
  }

  refresh(timer) {
    this.clear(timer);
    timer.at = this.now + timer.delay;
    timer.isDone = false;
    this.#waiting.push(timer);
  }

  clear(timer) {
    const at = this.#waiting.findIndex((one) => one === timer || one.id === timer);
    if (at !== -1) this.#waiting.splice(at, 1);
  }

  #first() {
    let first;
    for (const one of this.#waiting) {
      if (first === undefined || one.at < first.at || (one.at === first.at && one.id < first.id)) {
        first = one;
      }
    }
    return first;
  }

  last() { return this.#waiting.reduce((most, one) => Math.max(most, one.at), -Infinity); }

  advance(to) {
    this.now = to;
    for (let timer = this.#first(); timer !== undefined && timer.at <= to;
      timer = this.#first()) {
      this.clear(timer);
      if (timer.every !== undefined) {
        timer.at += Math.max(timer.every, 1);
        this.#waiting.push(timer);
      }
      timer.fn(...timer.args);
    }
  }

  reset() { this.#waiting = []; }
}

function mockDate(clock) {
  function MockDate(...args) {
    if (!(this instanceof MockDate) || new.target === undefined) {
      return new RealDate(clock.now).toString();
    }
    const made = args.length === 0 ? new RealDate(clock.now) : new RealDate(...args);
    if (new.target !== MockDate) Object.setPrototypeOf(made, new.target.prototype);
    return made;
  }
  Object.defineProperties(MockDate, Object.getOwnPropertyDescriptors(RealDate));
  MockDate.now = () => clock.now;
  Object.defineProperty(MockDate, 'toString',
    { value: () => 'function Date() { [native code] }', configurable: true, writable: true });
  Object.defineProperty(MockDate, 'isMock', { value: true, enumerable: false });
  Object.defineProperty(MockDate, 'prototype', { value: RealDate.prototype, writable: false });
  RealDate.prototype.constructor = MockDate;
  return MockDate;
}

// What setTimeout(), setImmediate() and wait() of timers/promises do with a signal.
function promised(clock, delay, value, options = {}) {
  return new Promise((resolve, reject) => {
    try {
      validateObject(options, 'options');
      validateAbortSignal(options.signal, 'options.signal');
    } catch (error) {
      reject(error);
      return;
    }
    const { signal } = options;
    const abort = () => {
      clock.clear(timer);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal?.aborted) {
      reject(new AbortError(undefined, { cause: signal.reason }));
      return;
    }
    const timer = clock.add(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    }, delay, []);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

async function* intervals(clock, delay, value, options = {}) {
  validateObject(options, 'options');
  validateAbortSignal(options.signal, 'options.signal');
  const { signal } = options;
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const { on } = require('internal/events/iterator');
  const emitter = new (require('events'))();
  const timer = clock.add(() => emitter.emit('data', value), delay, [], delay);
  try {
    for await (const [one] of on(emitter, 'data', signal ? { signal } : {})) yield one;
  } finally {
    clock.clear(timer);
  }
}

function toDelay(delay) {
  const ms = Number(delay);
  return ms >= 1 && ms <= 2147483647 ? Math.trunc(ms) : 1;
}

class MockTimers {
  #clock = new Clock();
  #isOn = false;
  #saved = [];

  #put(object, name, value) {
    this.#saved.push([object, name, Object.getOwnPropertyDescriptor(object, name)]);
    Object.defineProperty(object, name,
      { value, writable: true, configurable: true, enumerable: true });
  }

  #replace(name, work, clearName) {
    const clear = (timer) => {
      if (timer !== null && timer !== undefined) this.#clock.clear(timer);
    };
    for (const object of [globalThis, timers]) {
      this.#put(object, name, work);
      this.#put(object, clearName, clear);
    }
  }

  #mock(api) {
    const clock = this.#clock;
    switch (api) {
      case 'setTimeout':
        this.#replace(api, (fn, delay, ...args) => clock.add(fn, toDelay(delay), args),
          'clearTimeout');
        this.#put(promises, api, (delay, value, options) =>
          promised(clock, toDelay(delay), value, options));
        break;
      case 'setInterval':
        this.#replace(api, (fn, delay, ...args) =>
          clock.add(fn, toDelay(delay), args, toDelay(delay)), 'clearInterval');
        this.#put(promises, api, (delay, value, options) =>
          intervals(clock, toDelay(delay), value, options));
        break;
      case 'setImmediate':
        this.#replace(api, (fn, ...args) => clock.add(fn, -1, args), 'clearImmediate');
        this.#put(promises, api, (value, options) => promised(clock, -1, value, options));
        break;
      case 'scheduler.wait':
        this.#put(promises.scheduler, 'wait', (delay, options) =>
          promised(clock, toDelay(delay), undefined, options));
        break;
      default:
        this.#put(globalThis, 'Date', mockDate(clock));
        Object.defineProperty(globalThis, 'Date', { enumerable: false });
    }
  }

  enable(options = { apis: APIS, now: 0 }) {
    options = { __proto__: null, ...options };
    if (this.#isOn) throw invalidState('MockTimers is already enabled!');
    if (globalThis.Date.isMock) {
      throw invalidState('Date is already being mocked!');
    }
    options.apis ??= APIS;
    options.now ??= 0;
    if (options.now instanceof RealDate) options.now = options.now.getTime();
    if (options.now < 0 || Number.isNaN(options.now)) {
      validateNumber(options.now, 'initialTime');
      throw invalidArgValue('now', options.now);
    }
    validateNumber(options.now, 'initialTime');
    validateArray(options.apis, 'options.apis');
    validateStringArray(options.apis, 'options.apis');
    for (const api of options.apis) {
      if (!APIS.includes(api)) {
        throw invalidArgValue('options.apis', api, `option ${api} is not supported`);
      }
    }
    if (!isTold) {
      isTold = true;
      process.emitWarning('The MockTimers API is an experimental feature and might change at ' +
        'any time', 'ExperimentalWarning');
    }
    this.#clock.now = options.now;
    this.#isOn = true;
    for (const api of options.apis) this.#mock(api);
  }

  #check() {
    if (!this.#isOn) {
      throw invalidState('You should enable MockTimers first by calling the .enable function');
    }
  }

  tick(time = 1) {
    this.#check();
    if (time < 0) throw invalidArgValue('time', 'positive integer', time);
    this.#clock.advance(this.#clock.now + time);
  }

  setTime(time = 0) {
    validateNumber(time, 'time');
    if (time < 0) throw invalidArgValue('time', 'positive integer', time);
    this.#check();
    this.#clock.now = time;
  }

  runAll() {
    this.#check();
    const last = this.#clock.last();
    if (last === -Infinity) return;
    this.tick(last - this.#clock.now);
  }

  reset() {
    if (!this.#isOn) return;
    for (const [object, name, descriptor] of this.#saved.splice(0).reverse()) {
      if (descriptor === undefined) delete object[name];
      else Object.defineProperty(object, name, descriptor);
    }
    RealDate.prototype.constructor = RealDate;
    this.#clock.reset();
    this.#isOn = false;
  }

  [Symbol.dispose]() { this.reset(); }
}

module.exports = { MockTimers };
