'use strict';
// The readers of a readable stream: one of chunks, one that fills the caller's own bytes.

const { state, slots, deferred, define, wrongState } = require('internal/web/base');
const { invalidArgType, invalidArgValue, outOfRange } = require('internal/errors/errors');
const { validateBuffer, validateObject, ARRAY, FUNCTION, NULLABLE } =
  require('internal/errors/validators');
const core = require('internal/web/readable_core');

function lock(reader, stream) {
  if (!core.isReadableStream(stream)) throw invalidArgType('stream', 'ReadableStream', stream);
  if (core.isLocked(stream)) throw wrongState('ReadableStream is locked');
  core.attach(reader, stream);
}

const detached = () => Promise.reject(wrongState('The reader is not attached to a stream'));

// What waits for a chunk, or for its memory to be filled.
class ReadRequest {
  constructor() {
    const { promise, resolve, reject } = deferred();
    this.promise = promise;
    this.resolve = resolve;
    this.error = reject;
  }

  chunk(value) { this.resolve({ value, done: false }); }

  close(value = undefined) { this.resolve({ value, done: true }); }
}

// Methods of both: a wrong "this" is a promise's error where the method gives a promise.
function checked(reader, brand) {
  try {
    return slots(reader, brand);
  } catch (error) {
    return Promise.reject(error);
  }
}

function cancel(slot, reason) {
  if (slot instanceof Promise) return slot;
  return slot.stream === undefined ? detached() : core.cancel(slot.stream, reason);
}

class ReadableStreamDefaultReader {
  constructor(stream) {
    this[state] = { brand: 'ReadableStreamDefaultReader', readRequests: [], stream: undefined,
      close: undefined };
    lock(this, stream);
  }

  read() {
    const slot = checked(this, 'ReadableStreamDefaultReader');
    if (slot instanceof Promise) return slot;
    if (slot.stream === undefined) return detached();
    const request = new ReadRequest();
    core.read(this, request);
    return request.promise;
  }

  releaseLock() {
    const slot = slots(this, 'ReadableStreamDefaultReader');
    if (slot.stream !== undefined) core.releaseDefault(this);
  }

  get closed() {
    const slot = checked(this, 'ReadableStreamDefaultReader');
    return slot instanceof Promise ? slot : slot.close.promise;
  }

  cancel(reason = undefined) {
    return cancel(checked(this, 'ReadableStreamDefaultReader'), reason);
  }
}
define(ReadableStreamDefaultReader, (reader, slot) => ({ stream: slot.stream,
  readRequests: slot.readRequests.length, close: slot.close.promise }));

function leastOf(view, options) {
  validateObject(options, 'options', ARRAY | FUNCTION | NULLABLE);
  const { min = 1 } = options ?? {};
  if (typeof min !== 'number') throw invalidArgType('options.min', 'number', min);
  if (!Number.isInteger(min)) throw invalidArgValue('options.min', min, 'must be an integer');
  if (min <= 0) throw invalidArgValue('options.min', min, 'must be greater than 0');
  const isPlain = view instanceof DataView;
  if (min > (isPlain ? view.byteLength : view.length)) {
    throw outOfRange('options.min', `<= view.${isPlain ? 'byteLength' : 'length'}`, min);
  }
  return min;
}

function readInto(reader, view, min, request) {
  const { stream } = reader[state];
  stream[state].disturbed = true;
  if (stream[state].state === 'errored') request.error(stream[state].storedError);
  else {
    const { pullInto } = require('internal/web/byte_controller');
    pullInto(stream[state].controller, view, min, request);
  }
}

class ReadableStreamBYOBReader {
  constructor(stream) {
    if (!core.isReadableStream(stream)) throw invalidArgType('stream', 'ReadableStream', stream);
    if (core.isLocked(stream)) throw wrongState('ReadableStream is locked');
    const { isByteController } = require('internal/web/byte_controller');
    if (!isByteController(stream[state].controller)) {
      throw invalidArgValue('stream', stream, 'must be a byte stream');
    }
    this[state] = { brand: 'ReadableStreamBYOBReader', readIntoRequests: [], stream: undefined,
      close: undefined };
    core.attach(this, stream);
  }

  async read(view, options = {}) {
    const slot = slots(this, 'ReadableStreamBYOBReader');
    validateBuffer(view, 'view');
    if (view.byteLength === 0 || view.buffer.byteLength === 0) {
      throw wrongState('View or Viewed ArrayBuffer is zero-length or detached');
    }
    const min = leastOf(view, options);
    if (slot.stream === undefined) throw wrongState('The reader is not attached to a stream');
    const request = new ReadRequest();
    readInto(this, view, min, request);
    return request.promise;
  }

  releaseLock() {
    const slot = slots(this, 'ReadableStreamBYOBReader');
    if (slot.stream === undefined) return;
    core.release(this);
    core.errorRequests(this, wrongState('Releasing reader'));
  }

  get closed() {
    const slot = checked(this, 'ReadableStreamBYOBReader');
    return slot instanceof Promise ? slot : slot.close.promise;
  }

  cancel(reason = undefined) {
    return cancel(checked(this, 'ReadableStreamBYOBReader'), reason);
  }
}
define(ReadableStreamBYOBReader, (reader, slot) => ({ stream: slot.stream,
  readIntoRequests: slot.readIntoRequests.length, close: slot.close.promise }));

module.exports = { ReadableStreamDefaultReader, ReadableStreamBYOBReader, readInto };
