'use strict';
// The controller of a readable stream of bytes, and the request to fill a reader's own memory.

const { state, slots, isBrand, illegalConstructor, algorithmOf, startOf, done, define,
  wrongState, wrongValue } = require('internal/web/base');
const { invalidArgValue } = require('internal/errors/errors');
const { validateBuffer } = require('internal/errors/validators');
const core = require('internal/web/readable_core');
const { kCancel, kPull, kRelease, desiredSize } = core;
const { begin } = require('internal/web/default_controller');
const places = require('internal/web/pull_into');
const { commit, transfer, invalidateRequest } = places;

const kMake = Symbol('kMake');
const isByteController = (value) => isBrand(value, 'ReadableByteStreamController');
const hasByobReader = (stream) => stream[state].reader?.[state].readIntoRequests !== undefined;
const hasDefaultReader = (stream) => stream[state].reader?.[state].readRequests !== undefined;

function shouldPull(controller) {
  const { stream, closeRequested, started } = controller[state];
  if (stream[state].state !== 'readable' || closeRequested || !started) return false;
  return core.readRequests(stream) > 0 || core.readIntoRequests(stream) > 0 ||
    desiredSize(controller) > 0;
}

function pullIfNeeded(controller) {
  if (shouldPull(controller)) core.pull(controller, pullIfNeeded, fail);
}

function clear(slot) {
  slot.pullAlgorithm = undefined;
  slot.cancelAlgorithm = undefined;
}

function fail(controller, error) {
  const slot = controller[state];
  if (slot.stream[state].state !== 'readable') return;
  places.forget(slot);
  clear(slot);
  core.fail(slot.stream, error);
}

function close(controller) {
  const slot = controller[state];
  if (slot.closeRequested || slot.stream[state].state !== 'readable') return;
  if (slot.queueTotalSize > 0) {
    slot.closeRequested = true;
    return;
  }
  const [first] = slot.pendingPullIntos;
  if (first !== undefined && first.bytesFilled % first.elementSize !== 0) {
    const error = wrongState('Partial read');
    fail(controller, error);
    throw error;
  }
  clear(slot);
  core.close(slot.stream);
}

function handleDrain(controller) {
  const slot = controller[state];
  if (slot.queueTotalSize === 0 && slot.closeRequested) {
    clear(slot);
    core.close(slot.stream);
  } else {
    pullIfNeeded(controller);
  }
}

function fillRequest(controller, request) {
  const slot = controller[state];
  const { buffer, byteOffset, byteLength } = slot.queue.shift();
  slot.queueTotalSize -= byteLength;
  handleDrain(controller);
  request.chunk(new Uint8Array(buffer, byteOffset, byteLength));
}

function enqueueForDefault(controller, buffer, byteOffset, byteLength) {
  const slot = controller[state];
  const requests = slot.stream[state].reader[state].readRequests;
  while (requests.length > 0 && slot.queueTotalSize > 0) fillRequest(controller, requests.shift());
  if (requests.length === 0) {
    places.enqueueBytes(slot, buffer, byteOffset, byteLength);
    return;
  }
  if (slot.pendingPullIntos.length > 0) slot.pendingPullIntos.shift();
  core.fulfillReadRequest(slot.stream, new Uint8Array(buffer, byteOffset, byteLength), false);
}

function enqueue(controller, chunk) {
  const slot = controller[state];
  const { stream } = slot;
  if (slot.closeRequested || stream[state].state !== 'readable') return;
  const { byteOffset, byteLength } = chunk;
  const buffer = transfer(chunk.buffer);
  const [first] = slot.pendingPullIntos;
  if (first !== undefined) {
    if (places.isDetached(first.buffer)) {
      throw wrongState('Destination ArrayBuffer is detached');
    }
    invalidateRequest(slot);
    first.buffer = transfer(first.buffer);
    if (first.reader === 'none') places.enqueueLeft(slot, first);
  }
  if (hasDefaultReader(stream)) {
    enqueueForDefault(controller, buffer, byteOffset, byteLength);
  } else {
    places.enqueueBytes(slot, buffer, byteOffset, byteLength);
    if (hasByobReader(stream)) for (const one of places.fillPlaces(slot)) commit(stream, one);
  }
  pullIfNeeded(controller);
}

function pullInto(controller, view, min, request) {
  const slot = controller[state];
  const { stream } = slot;
  let place;
  try {
    place = places.placeFor(view, min, 'byob');
  } catch (error) {
    request.error(error);
    return;
  }
  const wait = () => {
    slot.pendingPullIntos.push(place);
    stream[state].reader[state].readIntoRequests.push(request);
  };
  if (slot.pendingPullIntos.length > 0) {
    wait();
    return;
  }
  if (stream[state].state === 'closed') {
    request.close(new place.Type(place.buffer, place.byteOffset, 0));
    return;
  }
  if (slot.queueTotalSize > 0) {
    if (places.fill(slot, place)) {
      const filled = places.convert(place);
      handleDrain(controller);
      request.chunk(filled);
      return;
    }
    if (slot.closeRequested) {
      const error = wrongState('ReadableStream closed');
      fail(controller, error);
      request.error(error);
      return;
    }
  }
  wait();
  pullIfNeeded(controller);
}

function respondClosed(slot, first) {
  if (first.reader === 'none') slot.pendingPullIntos.shift();
  if (!hasByobReader(slot.stream)) return;
  const count = core.readIntoRequests(slot.stream);
  for (const one of slot.pendingPullIntos.splice(0, count)) commit(slot.stream, one);
}

function respondReadable(slot, first, bytesWritten) {
  first.bytesFilled += bytesWritten;
  const { stream } = slot;
  if (first.reader === 'none') {
    places.enqueueLeft(slot, first);
    for (const one of places.fillPlaces(slot)) commit(stream, one);
    return;
  }
  if (first.bytesFilled < first.minimumFill) return;
  slot.pendingPullIntos.shift();
  const rest = first.bytesFilled % first.elementSize;
  if (rest > 0) {
    places.enqueueCopy(slot, first.buffer, first.byteOffset + first.bytesFilled - rest, rest);
  }
  first.bytesFilled -= rest;
  const filled = places.fillPlaces(slot);
  commit(stream, first);
  for (const one of filled) commit(stream, one);
}

function respondInternal(controller, bytesWritten) {
  const slot = controller[state];
  const [first] = slot.pendingPullIntos;
  invalidateRequest(slot);
  if (slot.stream[state].state === 'closed') respondClosed(slot, first);
  else respondReadable(slot, first, bytesWritten);
  pullIfNeeded(controller);
}

function respond(controller, bytesWritten) {
  const { stream, pendingPullIntos: [first] } = controller[state];
  const isClosed = stream[state].state === 'closed';
  if (isClosed ? bytesWritten !== 0 : !(bytesWritten > 0)) {
    throw invalidArgValue('bytesWritten', bytesWritten);
  }
  if (!isClosed && first.bytesFilled + bytesWritten > first.byteLength) {
    throw wrongValue('bytesWritten', bytesWritten);
  }
  first.buffer = transfer(first.buffer);
  respondInternal(controller, bytesWritten);
}

function respondWithNewView(controller, view) {
  const { stream, pendingPullIntos: [first] } = controller[state];
  const isClosed = stream[state].state === 'closed';
  const { byteLength, byteOffset, buffer } = view;
  if (isClosed && byteLength !== 0) throw wrongState('View is not zero-length');
  if (!isClosed && byteLength === 0) throw wrongState('View is zero-length');
  if (places.isDetached(buffer)) throw wrongState('Viewed ArrayBuffer is detached');
  if (first.byteOffset + first.bytesFilled !== byteOffset ||
      first.bufferByteLength !== buffer.byteLength ||
      first.bytesFilled + byteLength > first.byteLength) {
    throw wrongValue('view', view);
  }
  first.buffer = transfer(buffer);
  respondInternal(controller, byteLength);
}

class ReadableStreamBYOBRequest {
  constructor(key) {
    if (key !== kMake) throw illegalConstructor();
  }

  get view() { return slots(this, 'ReadableStreamBYOBRequest').view; }

  respond(bytesWritten) {
    const { controller, view } = slots(this, 'ReadableStreamBYOBRequest');
    if (controller === undefined) throw wrongState('This BYOB request has been invalidated');
    if (places.isDetached(view.buffer)) throw wrongState('Viewed ArrayBuffer is detached');
    respond(controller, bytesWritten);
  }

  respondWithNewView(view) {
    const { controller } = slots(this, 'ReadableStreamBYOBRequest');
    if (controller === undefined) throw wrongState('This BYOB request has been invalidated');
    validateBuffer(view, 'view');
    respondWithNewView(controller, view);
  }
}
define(ReadableStreamBYOBRequest, (request, slot) =>
  ({ view: slot.view, controller: slot.controller }));

class ReadableByteStreamController {
  constructor(key) {
    if (key !== kMake) throw illegalConstructor();
  }

  get byobRequest() {
    const slot = slots(this, 'ReadableByteStreamController');
    const [first] = slot.pendingPullIntos;
    if (slot.byobRequest === null && first !== undefined) {
      const request = new ReadableStreamBYOBRequest(kMake);
      request[state] = { brand: 'ReadableStreamBYOBRequest', controller: this,
        view: new Uint8Array(first.buffer, first.byteOffset + first.bytesFilled,
          first.byteLength - first.bytesFilled) };
      slot.byobRequest = request;
    }
    return slot.byobRequest;
  }

  get desiredSize() {
    slots(this, 'ReadableByteStreamController');
    return desiredSize(this);
  }

  close() {
    const slot = slots(this, 'ReadableByteStreamController');
    if (slot.closeRequested || slot.stream[state].state !== 'readable') {
      throw wrongState('ReadableStream is already closed');
    }
    close(this);
  }

  enqueue(chunk) {
    const slot = slots(this, 'ReadableByteStreamController');
    validateBuffer(chunk);
    if (chunk.byteLength === 0 || chunk.buffer.byteLength === 0) {
      throw wrongState('chunk ArrayBuffer is zero-length or detached');
    }
    if (slot.closeRequested || slot.stream[state].state !== 'readable') {
      throw wrongState('ReadableStream is already closed');
    }
    enqueue(this, chunk);
  }

  error(error = undefined) {
    slots(this, 'ReadableByteStreamController');
    fail(this, error);
  }

  [kCancel](reason) {
    const slot = this[state];
    places.forget(slot);
    const answer = slot.cancelAlgorithm(reason);
    clear(slot);
    return answer;
  }

  [kPull](request) {
    const slot = this[state];
    if (slot.queueTotalSize > 0) {
      fillRequest(this, request);
      return;
    }
    const size = slot.autoAllocateChunkSize;
    if (size !== undefined) {
      try {
        slot.pendingPullIntos.push(places.placeFor(new Uint8Array(size), 1, 'default'));
      } catch (error) {
        request.error(error);
        return;
      }
    }
    slot.stream[state].reader[state].readRequests.push(request);
    pullIfNeeded(this);
  }

  [kRelease]() {
    const slot = this[state];
    const [first] = slot.pendingPullIntos;
    if (first === undefined) return;
    first.reader = 'none';
    slot.pendingPullIntos = [first];
  }
}
define(ReadableByteStreamController, () => ({}));

function setUp(stream, algorithms, highWaterMark, autoAllocateChunkSize) {
  const controller = new ReadableByteStreamController(kMake);
  controller[state] = {
    brand: 'ReadableByteStreamController', stream, queue: [], queueTotalSize: 0,
    started: false, closeRequested: false, pullAgain: false, pulling: false, highWaterMark,
    byobRequest: null, pendingPullIntos: [], autoAllocateChunkSize,
    pullAlgorithm: algorithms.pull, cancelAlgorithm: algorithms.cancel,
    begun: () => pullIfNeeded(controller),
  };
  stream[state].controller = controller;
  const started = algorithms.start(controller);
  begin(controller, () => started, (error) => fail(controller, error));
}

function fromSource(stream, source, highWaterMark) {
  const pull = algorithmOf(source, 'pull', 'source', done);
  const cancel = algorithmOf(source, 'cancel', 'source', done);
  const { autoAllocateChunkSize: size } = source;
  if (size !== undefined && !(size > 0)) {
    throw invalidArgValue('source.autoAllocateChunkSize', size);
  }
  setUp(stream, { start: (controller) => startOf(source, controller)(), pull, cancel },
    highWaterMark, size);
}

module.exports = { ReadableByteStreamController, ReadableStreamBYOBRequest, setUp, fromSource,
  isByteController, close, enqueue, fail, pullInto, respond, respondWithNewView };
