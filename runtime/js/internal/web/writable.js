'use strict';
// WritableStream of the web, and its writer.

const { state, slots, define, sizeAlgorithmOf, highWaterMarkOf, wrongState, wrongValue } =
  require('internal/web/base');
const { invalidArgType } = require('internal/errors/errors');
const { validateObject, ARRAY, FUNCTION, NULLABLE } = require('internal/errors/validators');
const core = require('internal/web/writable_core');
const controllers = require('internal/web/writable_controller');

const newState = () => ({ brand: 'WritableStream', state: 'writable', storedError: undefined,
  writer: undefined, controller: undefined, writeRequests: [], inFlightWriteRequest: undefined,
  closeRequest: undefined, inFlightCloseRequest: undefined, pendingAbortRequest: undefined,
  backpressure: false });

// A wrong "this" is the error of the promise that the method gives.
function promised(self, brand, work) {
  try {
    return work(slots(self, brand));
  } catch (error) {
    return Promise.reject(error);
  }
}

class WritableStream {
  constructor(sink = {}, strategy = {}) {
    validateObject(sink, 'sink', ARRAY | FUNCTION);
    validateObject(strategy, 'strategy', ARRAY | FUNCTION | NULLABLE);
    const type = sink?.type;
    if (type !== undefined) throw wrongValue('type', type);
    this[state] = newState();
    const size = sizeAlgorithmOf(strategy?.size);
    controllers.fromSink(this, sink, highWaterMarkOf(strategy?.highWaterMark, 1), size);
  }

  get locked() { return slots(this, 'WritableStream').writer !== undefined; }

  abort(reason = undefined) {
    return promised(this, 'WritableStream', () => {
      if (core.isLocked(this)) throw wrongState('WritableStream is locked');
      return core.abort(this, reason);
    });
  }

  close() {
    return promised(this, 'WritableStream', () => {
      if (core.isLocked(this)) throw wrongState('WritableStream is locked');
      if (core.isClosing(this)) throw wrongState('Failure closing WritableStream');
      return core.close(this);
    });
  }

  getWriter() {
    slots(this, 'WritableStream');
    return new WritableStreamDefaultWriter(this);
  }
}
define(WritableStream, (stream, slot) => ({ locked: core.isLocked(stream), state: slot.state }));
require('internal/web/transfer').makeTransferable(WritableStream);

// A stream without a sink of the user's.
function make(setUp) {
  const stream = Object.create(WritableStream.prototype);
  stream[state] = newState();
  setUp(stream);
  return stream;
}

const notBound = () => wrongState('Writer is not bound to a WritableStream');

function desiredSize(stream) {
  switch (stream[state].state) {
    case 'errored':
    case 'erroring': return null;
    case 'closed': return 0;
    default: return controllers.desiredSize(stream[state].controller);
  }
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    if (!core.isWritableStream(stream)) throw invalidArgType('stream', 'WritableStream', stream);
    if (core.isLocked(stream)) throw wrongState('WritableStream is locked');
    this[state] = { brand: 'WritableStreamDefaultWriter', stream: undefined, ready: undefined,
      close: undefined };
    core.attach(this, stream);
  }

  get closed() {
    return promised(this, 'WritableStreamDefaultWriter', (slot) => slot.close.promise);
  }

  get desiredSize() {
    const { stream } = slots(this, 'WritableStreamDefaultWriter');
    if (stream === undefined) throw notBound();
    return desiredSize(stream);
  }

  get ready() {
    return promised(this, 'WritableStreamDefaultWriter', (slot) => slot.ready.promise);
  }

  abort(reason = undefined) {
    return promised(this, 'WritableStreamDefaultWriter', ({ stream }) => {
      if (stream === undefined) throw notBound();
      return core.abort(stream, reason);
    });
  }

  close() {
    return promised(this, 'WritableStreamDefaultWriter', ({ stream }) => {
      if (stream === undefined) throw notBound();
      if (core.isClosing(stream)) throw wrongState('Failure to close WritableStream');
      return core.close(stream);
    });
  }

  releaseLock() {
    const { stream } = slots(this, 'WritableStreamDefaultWriter');
    if (stream !== undefined) core.release(this);
  }

  write(chunk = undefined) {
    return promised(this, 'WritableStreamDefaultWriter', ({ stream }) => {
      if (stream === undefined) throw notBound();
      return core.write(this, chunk);
    });
  }
}
define(WritableStreamDefaultWriter, (writer, slot) => ({ stream: slot.stream,
  close: slot.close.promise, ready: slot.ready.promise,
  desiredSize: slot.stream === undefined ? undefined : desiredSize(slot.stream) }));

module.exports = { WritableStream, WritableStreamDefaultWriter, make,
  WritableStreamDefaultController: controllers.WritableStreamDefaultController };
