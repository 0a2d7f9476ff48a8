'use strict';
// events.on: the events of an emitter, as something to iterate over.

const errors = require('internal/errors/errors');
const { validateAbortSignal, validateInteger, validateObject } =
  require('internal/errors/validators');

const FIRST_ARGUMENT = Symbol('first argument'); // of events.on: values instead of lists of them
const WATERMARKS = Symbol.for('nodejs.watermarkData');

const AsyncIteratorPrototype =
  Object.getPrototypeOf(Object.getPrototypeOf(async function* none() {}).prototype);

// Either events wait here for those who ask, or those who ask wait for events.
class EventQueue {
  #values = [];
  #first = 0; // of the values: those before it were given away
  #waiting = [];
  #failure = null;
  #finished = false;
  #source; // is paused while more than `high` values wait, until there are fewer than `low`

  constructor(source, low, high) {
    this.#source = source;
    this.low = low;
    this.high = high;
    this.isPaused = false;
  }

  get size() { return this.#values.length - this.#first; }

  add(value) {
    if (this.#waiting.length > 0) {
      this.#waiting.shift().resolve({ value, done: false });
      return;
    }
    this.#values.push(value);
    if (!this.isPaused && this.size > this.high) {
      this.isPaused = true;
      this.#source.pause();
    }
  }

  fail(error) {
    if (this.#waiting.length > 0) this.#waiting.shift().reject(error);
    else this.#failure = error;
  }

  #take() {
    const value = this.#values[this.#first];
    this.#values[this.#first++] = undefined;
    if (this.#first > 1024 && this.#first * 2 > this.#values.length) {
      this.#values.splice(0, this.#first);
      this.#first = 0;
    }
    if (this.isPaused && this.size < this.low) {
      this.isPaused = false;
      this.#source.resume();
    }
    return value;
  }

  next() {
    if (this.size > 0) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#failure) {
      const rejected = Promise.reject(this.#failure);
      this.#failure = null;
      return rejected;
    }
    if (this.#finished) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  end() {
    this.#finished = true;
    for (const one of this.#waiting.splice(0)) one.resolve({ value: undefined, done: true });
    return Promise.resolve({ value: undefined, done: true });
  }
}

function watermark(options, name, otherwise) {
  const value = options[name] ?? options[name.replace('Water', 'water')] ?? otherwise;
  validateInteger(value, `options.${name}`, 1);
  return value;
}

function check(emitter, options) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new errors.AbortError(undefined, { cause: signal.reason });
  const high = watermark(options, 'highWaterMark', Number.MAX_SAFE_INTEGER);
  const low = watermark(options, 'lowWaterMark', 1);
  const isTarget = typeof emitter?.on !== 'function';
  if (isTarget && typeof emitter?.addEventListener !== 'function') {
    throw errors.invalidArgType('emitter', 'EventEmitter', emitter);
  }
  return { signal, isTarget, queue: new EventQueue(emitter, low, high) };
}

// Listens until it is told to stop.
function listen(emitter, isTarget, listeners) {
  const [add, remove] = isTarget ? ['addEventListener', 'removeEventListener']
    : ['on', 'removeListener'];
  for (const [event, listener] of listeners) emitter[add](event, listener);
  return () => {
    for (const [event, listener] of listeners) emitter[remove](event, listener);
  };
}

function on(emitter, event, options = {}) {
  const { signal, isTarget, queue } = check(emitter, options);
  const finish = () => {
    stop();
    if (signal) signal.removeEventListener('abort', onAbort);
    return queue.end();
  };
  const onError = (error) => {
    queue.fail(error);
    finish();
  };
  const onAbort = () =>
    onError(new errors.AbortError(undefined, { cause: signal.reason }));
  const listeners = [[event, options[FIRST_ARGUMENT] ? (value) => queue.add(value)
    : (...args) => queue.add(args)]];
  if (!isTarget && event !== 'error') listeners.push(['error', onError]);
  for (const closer of options.close ?? []) listeners.push([closer, () => finish()]);
  const stop = listen(emitter, isTarget, listeners);
  if (signal) {
    const { kResistsStop } = require('internal/events/target');
    signal.addEventListener('abort', onAbort, { once: true, [kResistsStop]: true });
  }
  return {
    __proto__: AsyncIteratorPrototype,
    next: () => queue.next(),
    return: () => finish(),
    throw(error) {
      if (!(error instanceof Error)) {
        throw errors.invalidArgType('EventEmitter.AsyncIterator', 'Error', error);
      }
      onError(error);
      return Promise.resolve({ value: undefined, done: true });
    },
    [Symbol.asyncIterator]() { return this; },
    [WATERMARKS]: queue,
  };
}

module.exports = { on, FIRST_ARGUMENT };
