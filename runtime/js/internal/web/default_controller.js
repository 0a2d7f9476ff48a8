'use strict';
// The controller of a readable stream of any chunks.

const { state, slots, illegalConstructor, algorithmOf, startOf, done, define, resetQueue,
  enqueueValueWithSize, dequeueValue, wrongState } = require('internal/web/base');
const core = require('internal/web/readable_core');
const { kCancel, kPull, kRelease, desiredSize } = core;

const kMake = Symbol('kMake');

function hasPlace(controller) {
  const slot = controller[state];
  return !slot.closeRequested && slot.stream[state].state === 'readable';
}

function shouldPull(controller) {
  const slot = controller[state];
  if (!hasPlace(controller) || !slot.started) return false;
  return core.readRequests(slot.stream) > 0 || desiredSize(controller) > 0;
}

function pullIfNeeded(controller) {
  if (shouldPull(controller)) core.pull(controller, pullIfNeeded, fail);
}

function clear(slot) {
  slot.pullAlgorithm = undefined;
  slot.cancelAlgorithm = undefined;
  slot.sizeAlgorithm = undefined;
}

function close(controller) {
  if (!hasPlace(controller)) return;
  const slot = controller[state];
  slot.closeRequested = true;
  if (slot.queue.length > 0) return;
  clear(slot);
  core.close(slot.stream);
}

function enqueue(controller, chunk) {
  if (!hasPlace(controller)) return;
  const slot = controller[state];
  if (core.readRequests(slot.stream) > 0) {
    core.fulfillReadRequest(slot.stream, chunk, false);
  } else {
    try {
      enqueueValueWithSize(slot, chunk, slot.sizeAlgorithm(chunk));
    } catch (error) {
      fail(controller, error);
      throw error;
    }
  }
  pullIfNeeded(controller);
}

function fail(controller, error) {
  const slot = controller[state];
  if (slot.stream[state].state !== 'readable') return;
  resetQueue(slot);
  clear(slot);
  core.fail(slot.stream, error);
}

class ReadableStreamDefaultController {
  constructor(key) {
    if (key !== kMake) throw illegalConstructor();
  }

  get desiredSize() {
    slots(this, 'ReadableStreamDefaultController');
    return desiredSize(this);
  }

  close() {
    slots(this, 'ReadableStreamDefaultController');
    if (!hasPlace(this)) throw wrongState('Controller is already closed');
    close(this);
  }

  enqueue(chunk = undefined) {
    slots(this, 'ReadableStreamDefaultController');
    if (!hasPlace(this)) throw wrongState('Controller is already closed');
    enqueue(this, chunk);
  }

  error(error = undefined) {
    slots(this, 'ReadableStreamDefaultController');
    fail(this, error);
  }

  [kCancel](reason) {
    const slot = this[state];
    resetQueue(slot);
    const answer = slot.cancelAlgorithm(reason);
    clear(slot);
    return answer;
  }

  [kPull](request) {
    const slot = this[state];
    if (slot.queue.length === 0) {
      slot.stream[state].reader[state].readRequests.push(request);
      pullIfNeeded(this);
      return;
    }
    const chunk = dequeueValue(slot);
    if (slot.closeRequested && slot.queue.length === 0) {
      clear(slot);
      core.close(slot.stream);
    } else {
      pullIfNeeded(this);
    }
    request.chunk(chunk);
  }

  [kRelease]() {}
}
define(ReadableStreamDefaultController, () => ({}));

// Begins: when `start` has been through, the stream is pulled.
function begin(controller, start, fails) {
  const slot = controller[state];
  new Promise((resolve) => { resolve(start()); }).then(() => {
    slot.started = true;
    slot.begun();
  }, fails);
}

function setUp(stream, algorithms, highWaterMark, sizeAlgorithm) {
  const controller = new ReadableStreamDefaultController(kMake);
  controller[state] = {
    brand: 'ReadableStreamDefaultController', stream, queue: [], queueTotalSize: 0,
    started: false, closeRequested: false, pullAgain: false, pulling: false, sizeAlgorithm,
    highWaterMark, pullAlgorithm: algorithms.pull, cancelAlgorithm: algorithms.cancel,
    begun: () => pullIfNeeded(controller),
  };
  stream[state].controller = controller;
  const started = algorithms.start(controller);
  begin(controller, () => started, (error) => fail(controller, error));
}

function fromSource(stream, source, highWaterMark, sizeAlgorithm) {
  setUp(stream, {
    start: (controller) => startOf(source, controller)(),
    pull: algorithmOf(source, 'pull', 'source', done),
    cancel: algorithmOf(source, 'cancel', 'source', done),
  }, highWaterMark, sizeAlgorithm);
}

module.exports = { ReadableStreamDefaultController, setUp, fromSource, begin, close, enqueue, fail,
  desiredSize, hasPlace, shouldPull };
