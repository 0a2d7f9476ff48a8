'use strict';
// TransformStream of the web: a writable side, a readable side, and a function between them.

const { state, slots, illegalConstructor, algorithmOf, startOf, deferred, done, define, handled,
  sizeAlgorithmOf, highWaterMarkOf, wrongState, wrongValue } = require('internal/web/base');
const { validateObject, ARRAY, FUNCTION, NULLABLE } = require('internal/errors/validators');
const readable = require('internal/web/readable');
const readableController = require('internal/web/default_controller');
const writable = require('internal/web/writable');
const writableController = require('internal/web/writable_controller');

const kMake = Symbol('kMake');

function setBackpressure(slot, backpressure) {
  slot.backpressureChange?.resolve();
  slot.backpressureChange = deferred();
  slot.backpressure = backpressure;
}

function clear(slot) {
  slot.transformAlgorithm = undefined;
  slot.flushAlgorithm = undefined;
  slot.cancelAlgorithm = undefined;
}

function failWritable(slot, error) {
  clear(slot.controller[state]);
  writableController.failIfWritable(slot.writable[state].controller, error);
  if (slot.backpressure) setBackpressure(slot, false);
}

function fail(slot, error) {
  readableController.fail(slot.readable[state].controller, error);
  failWritable(slot, error);
}

function enqueue(controller, chunk) {
  const slot = controller[state].stream[state];
  const inner = slot.readable[state].controller;
  if (!readableController.hasPlace(inner)) throw wrongState('Unable to enqueue');
  try {
    readableController.enqueue(inner, chunk);
  } catch (error) {
    failWritable(slot, error);
    throw slot.readable[state].storedError;
  }
  const backpressure = !readableController.shouldPull(inner);
  if (backpressure !== slot.backpressure) setBackpressure(slot, true);
}

class TransformStreamDefaultController {
  constructor(key) {
    if (key !== kMake) throw illegalConstructor();
  }

  get desiredSize() {
    const { stream } = slots(this, 'TransformStreamDefaultController');
    return readableController.desiredSize(stream[state].readable[state].controller);
  }

  enqueue(chunk = undefined) {
    slots(this, 'TransformStreamDefaultController');
    enqueue(this, chunk);
  }

  error(reason = undefined) {
    const { stream } = slots(this, 'TransformStreamDefaultController');
    fail(stream[state], reason);
  }

  terminate() {
    const { stream } = slots(this, 'TransformStreamDefaultController');
    readableController.close(stream[state].readable[state].controller);
    failWritable(stream[state], wrongState('TransformStream has been terminated'));
  }
}
define(TransformStreamDefaultController, (controller, slot) => ({ stream: slot.stream }));

function transform(slot, chunk) {
  const { controller } = slot;
  return controller[state].transformAlgorithm(chunk, controller).then(undefined, (error) => {
    fail(slot, error);
    throw error;
  });
}

function sinkWrite(slot, chunk) {
  if (!slot.backpressure) return transform(slot, chunk);
  return slot.backpressureChange.promise.then(() => {
    const side = slot.writable[state];
    if (side.state === 'erroring') throw side.storedError;
    return transform(slot, chunk);
  });
}

// One ending of both sides, whichever comes first: `after` and `otherwise` settle the other side.
function finish(slot, algorithm, side, after, otherwise) {
  const { controller } = slot;
  if (controller[state].finished !== undefined) return controller[state].finished.promise;
  const finished = controller[state].finished = deferred();
  const answer = algorithm(controller[state]);
  clear(controller[state]);
  answer.then(() => {
    if (slot[side][state].state === 'errored') finished.reject(slot[side][state].storedError);
    else {
      after();
      finished.resolve();
    }
  }, (error) => {
    otherwise(error);
    finished.reject(error);
  });
  return finished.promise;
}

const failReadable = (slot, error) =>
  readableController.fail(slot.readable[state].controller, error);

function sinkAbort(slot, reason) {
  return finish(slot, (algorithms) => algorithms.cancelAlgorithm(reason), 'readable',
    () => failReadable(slot, reason), (error) => failReadable(slot, error));
}

function sinkClose(slot) {
  return finish(slot, (algorithms) => algorithms.flushAlgorithm(slot.controller), 'readable',
    () => readableController.close(slot.readable[state].controller),
    (error) => failReadable(slot, error));
}

function sourceCancel(slot, reason) {
  const failOther = (error) => {
    writableController.failIfWritable(slot.writable[state].controller, error);
    if (slot.backpressure) setBackpressure(slot, false);
  };
  return finish(slot, (algorithms) => algorithms.cancelAlgorithm(reason), 'writable',
    () => failOther(reason), failOther);
}

function sourcePull(slot) {
  setBackpressure(slot, false);
  return slot.backpressureChange.promise;
}

// The two sides; both begin when the transformer has.
function makeSides(slot, begun, writableOf, readableOf) {
  const start = () => begun.promise;
  slot.writable = writable.make((stream) => writableController.setUp(stream, {
    start, write: (chunk) => sinkWrite(slot, chunk), close: () => sinkClose(slot),
    abort: (reason) => sinkAbort(slot, reason),
  }, ...writableOf));
  slot.readable = readable.make((stream) => readableController.setUp(stream, {
    start, pull: () => sourcePull(slot), cancel: (reason) => sourceCancel(slot, reason),
  }, ...readableOf));
  setBackpressure(slot, true);
}

class TransformStream {
  constructor(transformer = {}, writableStrategy = {}, readableStrategy = {}) {
    validateObject(transformer, 'transformer', ARRAY | FUNCTION);
    validateObject(writableStrategy, 'writableStrategy', ARRAY | FUNCTION | NULLABLE);
    validateObject(readableStrategy, 'readableStrategy', ARRAY | FUNCTION | NULLABLE);
    for (const key of ['readableType', 'writableType']) {
      if (transformer[key] !== undefined) throw wrongValue(`transformer.${key}`, transformer[key]);
    }
    const readableOf = [highWaterMarkOf(readableStrategy?.highWaterMark, 0),
      sizeAlgorithmOf(readableStrategy?.size)];
    const writableOf = [highWaterMarkOf(writableStrategy?.highWaterMark, 1),
      sizeAlgorithmOf(writableStrategy?.size)];
    const controller = new TransformStreamDefaultController(kMake);
    const slot = this[state] = { brand: 'TransformStream', readable: undefined,
      writable: undefined, controller, backpressure: undefined, backpressureChange: undefined };
    const begun = deferred();
    handled(begun.promise);
    makeSides(slot, begun, writableOf, readableOf);
    const identity = (chunk) => {
      try {
        enqueue(controller, chunk);
      } catch (error) {
        return Promise.reject(error);
      }
      return Promise.resolve();
    };
    controller[state] = {
      brand: 'TransformStreamDefaultController', stream: this, finished: undefined,
      transformAlgorithm: algorithmOf(transformer, 'transform', 'transformer', identity),
      flushAlgorithm: algorithmOf(transformer, 'flush', 'transformer', done),
      cancelAlgorithm: algorithmOf(transformer, 'cancel', 'transformer', done),
    };
    begun.resolve(startOf(transformer, controller)());
  }

  get readable() { return slots(this, 'TransformStream').readable; }

  get writable() { return slots(this, 'TransformStream').writable; }
}
define(TransformStream, (stream, slot) => ({ readable: slot.readable, writable: slot.writable,
  backpressure: slot.backpressure }));
require('internal/web/transfer').makePairTransferable(TransformStream);

module.exports = { TransformStream, TransformStreamDefaultController };
