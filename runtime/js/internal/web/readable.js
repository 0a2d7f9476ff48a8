'use strict';
// ReadableStream of the web.

const { state, slots, define, handled, sizeAlgorithmOf, highWaterMarkOf, wrongState, wrongValue } =
  require('internal/web/base');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateObject, ARRAY, FUNCTION, NULLABLE } =
  require('internal/errors/validators');
const core = require('internal/web/readable_core');
const defaults = require('internal/web/default_controller');
const { ReadableStreamDefaultReader, ReadableStreamBYOBReader } = require('internal/web/readers');

const OBJECTS = ARRAY | FUNCTION | NULLABLE;

const newState = () => ({ brand: 'ReadableStream', state: 'readable', storedError: undefined,
  disturbed: false, reader: undefined, controller: undefined });

class ReadableStream {
  constructor(source = {}, strategy = {}) {
    validateObject(source, 'source', ARRAY | FUNCTION);
    validateObject(strategy, 'strategy', OBJECTS);
    this[state] = newState();
    const size = strategy?.size;
    const highWaterMark = strategy?.highWaterMark;
    const { type } = source;
    if (`${type}` === 'bytes') {
      if (size !== undefined) throw wrongValue('strategy.size', size);
      require('internal/web/byte_controller')
        .fromSource(this, source, highWaterMarkOf(highWaterMark, 0));
      return;
    }
    if (type !== undefined) throw invalidArgValue('source.type', type);
    const sizeAlgorithm = sizeAlgorithmOf(size);
    defaults.fromSource(this, source, highWaterMarkOf(highWaterMark, 1), sizeAlgorithm);
  }

  static from(iterable) { return fromIterable(iterable); }

  get locked() { return slots(this, 'ReadableStream').reader !== undefined; }

  cancel(reason = undefined) {
    try {
      slots(this, 'ReadableStream');
      if (core.isLocked(this)) throw wrongState('ReadableStream is locked');
    } catch (error) {
      return Promise.reject(error);
    }
    return core.cancel(this, reason);
  }

  getReader(options = {}) {
    slots(this, 'ReadableStream');
    validateObject(options, 'options', OBJECTS);
    const mode = options?.mode;
    if (mode === undefined) return new ReadableStreamDefaultReader(this);
    if (`${mode}` !== 'byob') throw invalidArgValue('options.mode', mode);
    return new ReadableStreamBYOBReader(this);
  }

  pipeThrough(transform, options = {}) {
    const slot = slots(this, 'ReadableStream');
    const { isWritableStream, isLocked } = require('internal/web/writable_core');
    const readable = transform?.readable;
    if (!core.isReadableStream(readable)) {
      throw invalidArgType('transform.readable', 'ReadableStream', readable);
    }
    const writable = transform?.writable;
    if (!isWritableStream(writable)) {
      throw invalidArgType('transform.writable', 'WritableStream', writable);
    }
    validateObject(options, 'options', OBJECTS);
    if (slot.reader !== undefined) throw wrongState('The ReadableStream is locked');
    if (isLocked(writable)) throw wrongState('The WritableStream is locked');
    handled(pipe(this, writable, options));
    return readable;
  }

  pipeTo(destination, options = {}) {
    try {
      const slot = slots(this, 'ReadableStream');
      const { isWritableStream, isLocked } = require('internal/web/writable_core');
      if (!isWritableStream(destination)) {
        throw invalidArgType('transform.writable', 'WritableStream', destination);
      }
      validateObject(options, 'options', OBJECTS);
      if (slot.reader !== undefined) throw wrongState('The ReadableStream is locked');
      if (isLocked(destination)) throw wrongState('The WritableStream is locked');
      return pipe(this, destination, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  tee() {
    slots(this, 'ReadableStream');
    if (core.isLocked(this)) throw wrongState('ReadableStream is locked');
    return require('internal/web/tee').tee(this);
  }

  values(options = {}) {
    slots(this, 'ReadableStream');
    validateObject(options, 'options', OBJECTS);
    return iterate(this, Boolean(options?.preventCancel));
  }
}
define(ReadableStream, (stream, slot) => ({ locked: core.isLocked(stream), state: slot.state,
  supportsBYOB: slot.controller?.[state].brand === 'ReadableByteStreamController' }));
require('internal/web/transfer').makeTransferable(ReadableStream);
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  value: ReadableStream.prototype.values, writable: true, configurable: true, enumerable: false });
Object.defineProperty(ReadableStream, 'from', { enumerable: true });
// How the functions of "stream" see it.
for (const [name, get] of Object.entries({
  disturbed: (slot) => slot.disturbed,
  errored: (slot) => slot.state === 'errored',
  readable: (slot) => slot.state === 'readable',
})) {
  Object.defineProperty(ReadableStream.prototype, Symbol.for(`nodejs.stream.${name}`),
    { configurable: true, get() { return get(slots(this, 'ReadableStream')); } });
}

// The options are read in the standard's order.
function pipe(source, target, options) {
  const preventAbort = options?.preventAbort;
  const preventCancel = options?.preventCancel;
  const preventClose = options?.preventClose;
  const signal = options?.signal;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  return require('internal/web/pipe')
    .pipeTo(source, target, preventClose, preventAbort, preventCancel, signal);
}

// A stream without a source of the user's.
function make(setUp) {
  const stream = Object.create(ReadableStream.prototype);
  stream[state] = newState();
  setUp(stream);
  return stream;
}

const asyncIterators = Object.getPrototypeOf(
  Object.getPrototypeOf(Object.getPrototypeOf((async function* nothing() {})())));

// One step after the other, whenever they are asked for.
function iterate(stream, preventCancel) {
  const reader = new ReadableStreamDefaultReader(stream);
  let last;
  let isDone = false;
  const release = () => { if (reader[state].stream !== undefined) core.releaseDefault(reader); };

  const next = () => new Promise((resolve, reject) => {
    if (isDone) {
      resolve({ done: true, value: undefined });
      return;
    }
    if (reader[state].stream === undefined) {
      reject(wrongState('The reader is not bound to a ReadableStream'));
      return;
    }
    core.read(reader, {
      chunk(value) { resolve({ value, done: false }); },
      close() {
        isDone = true;
        release();
        resolve({ done: true, value: undefined });
      },
      error(error) {
        isDone = true;
        release();
        reject(error);
      },
    });
  });

  async function end(value) {
    if (isDone) return { done: true, value };
    isDone = true;
    if (reader[state].stream === undefined) {
      throw wrongState('The reader is not bound to a ReadableStream');
    }
    const answer = preventCancel ? undefined : core.cancel(stream, value);
    release();
    await answer;
    return { done: true, value };
  }

  const then = (step) => {
    last = last === undefined ? step() : last.then(step, step);
    return last;
  };
  return Object.setPrototypeOf({
    next: () => then(next),
    return: (value) => then(() => end(value)),
    [Symbol.asyncIterator]() { return this; },
  }, asyncIterators);
}

function iteratorOf(iterable) {
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (method === undefined || method === null) {
    throw withCode(TypeError, 'ERR_ARG_NOT_ITERABLE',
      `${require('internal/inspect/inspect').inspect(iterable)} must be iterable`);
  }
  const iterator = Reflect.apply(method, iterable, []);
  if (iterator === null || (typeof iterator !== 'object' && typeof iterator !== 'function')) {
    throw wrongState('The iterator method must return an object');
  }
  return iterator;
}

const isObject = (value) => value !== null &&
  (typeof value === 'object' || typeof value === 'function');

function fromIterable(iterable) {
  const iterator = iteratorOf(iterable);
  const isSync = iterable[Symbol.asyncIterator] === undefined ||
    iterable[Symbol.asyncIterator] === null;
  const { next } = iterator;
  return make((stream) => defaults.setUp(stream, {
    start() {},
    async pull(controller) {
      const step = await Reflect.apply(next, iterator, []);
      if (!isObject(step)) throw wrongState('The iterator.next() method must return an object');
      if (step.done) defaults.close(controller);
      else defaults.enqueue(controller, isSync ? await step.value : step.value);
    },
    async cancel(reason) {
      const method = iterator.return;
      if (method === undefined || method === null) return;
      const step = await Reflect.apply(method, iterator, [reason]);
      if (!isObject(step)) throw wrongState('The iterator.return() method must return an object');
    },
  }, 0, () => 1));
}

module.exports = { ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, make,
  ReadableStreamDefaultController: defaults.ReadableStreamDefaultController };
