'use strict';
// The controller of a writable stream: its queue, and the sink's functions.

const { state, slots, illegalConstructor, algorithmOf, startOf, done, define, resetQueue,
  enqueueValueWithSize, dequeueValue } = require('internal/web/base');
const core = require('internal/web/writable_core');
const { kAbort, kError } = core;

const kMake = Symbol('kMake');
const kClose = Symbol('close'); // stands in the queue behind the last chunk

function clear(slot) {
  slot.writeAlgorithm = undefined;
  slot.closeAlgorithm = undefined;
  slot.abortAlgorithm = undefined;
  slot.sizeAlgorithm = undefined;
}

const desiredSize = (controller) =>
  controller[state].highWaterMark - controller[state].queueTotalSize;

function fail(controller, error) {
  clear(controller[state]);
  core.startErroring(controller[state].stream, error);
}

function failIfWritable(controller, error) {
  if (controller[state].stream[state].state === 'writable') fail(controller, error);
}

function advance(controller) {
  const { stream, started, queue } = controller[state];
  if (!started || stream[state].inFlightWriteRequest !== undefined) return;
  if (stream[state].state === 'erroring') {
    core.finishErroring(stream);
    return;
  }
  if (queue.length === 0) return;
  if (queue[0].value === kClose) processClose(controller);
  else processWrite(controller, queue[0].value);
}

function processClose(controller) {
  const slot = controller[state];
  const { stream } = slot;
  stream[state].inFlightCloseRequest = stream[state].closeRequest;
  stream[state].closeRequest = undefined;
  dequeueValue(slot);
  const answer = slot.closeAlgorithm();
  clear(slot);
  answer.then(() => core.finishClose(stream), (error) => core.finishClose(stream, error));
}

function processWrite(controller, chunk) {
  const slot = controller[state];
  const { stream } = slot;
  stream[state].inFlightWriteRequest = stream[state].writeRequests.shift();
  slot.writeAlgorithm(chunk, controller).then(() => {
    core.finishWrite(stream);
    dequeueValue(slot);
    if (!core.isClosing(stream) && stream[state].state === 'writable') {
      core.updateBackpressure(stream, desiredSize(controller) <= 0);
    }
    advance(controller);
  }, (error) => {
    if (stream[state].state === 'writable') clear(slot);
    core.finishWrite(stream, error);
  });
}

function close(controller) {
  enqueueValueWithSize(controller[state], kClose, 0);
  advance(controller);
}

function sizeOf(controller, chunk) {
  const { sizeAlgorithm } = controller[state];
  if (sizeAlgorithm === undefined) return 1;
  try {
    return sizeAlgorithm(chunk);
  } catch (error) {
    failIfWritable(controller, error);
    return 1;
  }
}

function write(controller, chunk, size) {
  const slot = controller[state];
  try {
    enqueueValueWithSize(slot, chunk, size);
  } catch (error) {
    failIfWritable(controller, error);
    return;
  }
  const { stream } = slot;
  if (!core.isClosing(stream) && stream[state].state === 'writable') {
    core.updateBackpressure(stream, desiredSize(controller) <= 0);
  }
  advance(controller);
}

class WritableStreamDefaultController {
  constructor(key) {
    if (key !== kMake) throw illegalConstructor();
  }

  get signal() { return slots(this, 'WritableStreamDefaultController').abortController.signal; }

  error(error = undefined) {
    const { stream } = slots(this, 'WritableStreamDefaultController');
    if (stream[state].state === 'writable') fail(this, error);
  }

  [kAbort](reason) {
    const slot = this[state];
    const answer = slot.abortAlgorithm(reason);
    clear(slot);
    return answer;
  }

  [kError]() { resetQueue(this[state]); }
}
define(WritableStreamDefaultController, (controller, slot) => ({ stream: slot.stream }));

function setUp(stream, algorithms, highWaterMark, sizeAlgorithm) {
  const controller = new WritableStreamDefaultController(kMake);
  const slot = controller[state] = {
    brand: 'WritableStreamDefaultController', stream, queue: [], queueTotalSize: 0,
    abortController: new AbortController(), started: false, sizeAlgorithm, highWaterMark,
    writeAlgorithm: algorithms.write, closeAlgorithm: algorithms.close,
    abortAlgorithm: algorithms.abort,
  };
  stream[state].controller = controller;
  core.updateBackpressure(stream, desiredSize(controller) <= 0);
  const begun = algorithms.start(controller);
  new Promise((resolve) => { resolve(begun); }).then(() => {
    slot.started = true;
    advance(controller);
  }, (error) => {
    slot.started = true;
    core.dealWithRejection(stream, error);
  });
}

function fromSink(stream, sink, highWaterMark, sizeAlgorithm) {
  setUp(stream, {
    start: (controller) => startOf(sink, controller)(),
    write: algorithmOf(sink, 'write', 'sink', done),
    close: algorithmOf(sink, 'close', 'sink', done),
    abort: algorithmOf(sink, 'abort', 'sink', done),
  }, highWaterMark, sizeAlgorithm);
}

module.exports = { WritableStreamDefaultController, setUp, fromSink, close, write, sizeOf,
  desiredSize, failIfWritable };
