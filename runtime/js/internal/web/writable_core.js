'use strict';
// The standard's operations on writable streams and their writers.

const { state, deferred, handled, rejected, fulfilled, isBrand, isPromisePending, wrongState } =
  require('internal/web/base');

// The controller's part: see writable_controller.js.
const kAbort = Symbol('kAbort');
const kError = Symbol('kError');

const isWritableStream = (value) => isBrand(value, 'WritableStream');
const isLocked = (stream) => stream[state].writer !== undefined;

function isClosing(stream) {
  const { closeRequest, inFlightCloseRequest } = stream[state];
  return closeRequest !== undefined || inFlightCloseRequest !== undefined;
}

function abort(stream, reason) {
  const slot = stream[state];
  if (slot.state === 'closed' || slot.state === 'errored') return Promise.resolve();
  slot.controller[state].abortController.abort(reason);
  if (slot.state === 'closed' || slot.state === 'errored') return Promise.resolve();
  if (slot.pendingAbortRequest !== undefined) return slot.pendingAbortRequest.done.promise;
  const wasAlreadyErroring = slot.state === 'erroring';
  if (wasAlreadyErroring) reason = undefined;
  const done = deferred();
  slot.pendingAbortRequest = { done, reason, wasAlreadyErroring };
  if (!wasAlreadyErroring) startErroring(stream, reason);
  return done.promise;
}

function close(stream) {
  const slot = stream[state];
  if (slot.state === 'closed' || slot.state === 'errored') {
    return Promise.reject(wrongState('WritableStream is closed'));
  }
  const request = slot.closeRequest = deferred();
  if (slot.writer !== undefined && slot.backpressure && slot.state === 'writable') {
    slot.writer[state].ready.resolve();
  }
  require('internal/web/writable_controller').close(slot.controller);
  return request.promise;
}

function startErroring(stream, reason) {
  const slot = stream[state];
  slot.state = 'erroring';
  slot.storedError = reason;
  if (slot.writer !== undefined) rejectAnew(slot.writer[state], 'ready', reason);
  const isBusy = slot.inFlightWriteRequest !== undefined || slot.inFlightCloseRequest !== undefined;
  if (!isBusy && slot.controller[state].started) finishErroring(stream);
}

function finishErroring(stream) {
  const slot = stream[state];
  slot.state = 'errored';
  slot.controller[kError]();
  const { storedError } = slot;
  for (const request of slot.writeRequests.splice(0)) request.reject(storedError);
  const request = slot.pendingAbortRequest;
  slot.pendingAbortRequest = undefined;
  if (request === undefined) {
    rejectClose(stream);
  } else if (request.wasAlreadyErroring) {
    request.done.reject(storedError);
    rejectClose(stream);
  } else {
    slot.controller[kAbort](request.reason).then(() => {
      request.done.resolve();
      rejectClose(stream);
    }, (error) => {
      request.done.reject(error);
      rejectClose(stream);
    });
  }
}

function rejectClose(stream) {
  const slot = stream[state];
  if (slot.closeRequest !== undefined) {
    slot.closeRequest.reject(slot.storedError);
    slot.closeRequest = undefined;
  }
  slot.over?.reject(slot.storedError);
  if (slot.writer === undefined) return;
  handled(slot.writer[state].close.promise);
  slot.writer[state].close.reject(slot.storedError);
}

function dealWithRejection(stream, error) {
  if (stream[state].state === 'writable') startErroring(stream, error);
  else finishErroring(stream);
}

function finishWrite(stream, ...failure) {
  const slot = stream[state];
  const request = slot.inFlightWriteRequest;
  slot.inFlightWriteRequest = undefined;
  if (failure.length === 0) {
    request.resolve();
    return;
  }
  request.reject(failure[0]);
  dealWithRejection(stream, failure[0]);
}

function finishClose(stream, ...failure) {
  const slot = stream[state];
  const { inFlightCloseRequest, pendingAbortRequest } = slot;
  slot.inFlightCloseRequest = undefined;
  slot.pendingAbortRequest = undefined;
  if (failure.length > 0) {
    inFlightCloseRequest.reject(failure[0]);
    pendingAbortRequest?.done.reject(failure[0]);
    dealWithRejection(stream, failure[0]);
    return;
  }
  inFlightCloseRequest.resolve();
  if (slot.state === 'erroring') {
    slot.storedError = undefined;
    pendingAbortRequest?.done.resolve();
  }
  slot.state = 'closed';
  slot.over?.resolve();
  slot.writer?.[state].close.resolve();
}

function updateBackpressure(stream, backpressure) {
  const slot = stream[state];
  if (slot.writer !== undefined && backpressure !== slot.backpressure) {
    if (backpressure) slot.writer[state].ready = deferred();
    else slot.writer[state].ready.resolve();
  }
  slot.backpressure = backpressure;
}

// One of a writer's promises fails; one that is settled is replaced.
function rejectAnew(slot, key, error) {
  if (isPromisePending(slot[key].promise)) {
    handled(slot[key].promise);
    slot[key].reject(error);
  } else {
    slot[key] = rejected(error);
  }
}

// A writer takes a stream.
function attach(writer, stream) {
  const slot = writer[state];
  const to = stream[state];
  slot.stream = stream;
  to.writer = writer;
  switch (to.state) {
    case 'writable':
      slot.ready = !isClosing(stream) && to.backpressure ? deferred() : fulfilled();
      slot.close = deferred();
      break;
    case 'erroring':
      slot.ready = rejected(to.storedError);
      slot.close = deferred();
      break;
    case 'closed':
      slot.ready = fulfilled();
      slot.close = fulfilled();
      break;
    default:
      slot.ready = rejected(to.storedError);
      slot.close = rejected(to.storedError);
  }
  handled(slot.close.promise);
}

function release(writer) {
  const slot = writer[state];
  const error = wrongState('Writer has been released');
  rejectAnew(slot, 'ready', error);
  rejectAnew(slot, 'close', error);
  slot.stream[state].writer = undefined;
  slot.stream = undefined;
}

function write(writer, chunk) {
  const { stream } = writer[state];
  const controllers = require('internal/web/writable_controller');
  const slot = stream[state];
  const { controller } = slot;
  const size = controllers.sizeOf(controller, chunk);
  if (stream !== writer[state].stream) {
    return Promise.reject(wrongState('Mismatched WritableStreams'));
  }
  if (slot.state === 'errored') return Promise.reject(slot.storedError);
  if (isClosing(stream) || slot.state === 'closed') {
    return Promise.reject(wrongState('WritableStream is closed'));
  }
  if (slot.state === 'erroring') return Promise.reject(slot.storedError);
  const request = deferred();
  slot.writeRequests.push(request);
  controllers.write(controller, chunk, size);
  return request.promise;
}

// Closes unless that is under way or done; an error is told.
function closeWithErrors(writer) {
  const { stream } = writer[state];
  const slot = stream[state];
  if (isClosing(stream) || slot.state === 'closed') return Promise.resolve();
  return slot.state === 'errored' ? Promise.reject(slot.storedError) : close(stream);
}

module.exports = {
  kAbort, kError, isWritableStream, isLocked, isClosing, abort, close, startErroring,
  finishErroring, dealWithRejection, finishWrite, finishClose, updateBackpressure, attach, release,
  write, closeWithErrors,
};
