'use strict';
// The standard's operations on readable streams and their readers, whatever their controller.

const { state, deferred, handled, rejected, fulfilled, isBrand, nothing, wrongState } =
  require('internal/web/base');

// Each controller has these methods for the streams: see controllers' files.
const kCancel = Symbol('kCancel');
const kPull = Symbol('kPull');
const kRelease = Symbol('kRelease');

const isReadableStream = (value) => isBrand(value, 'ReadableStream');
const isLocked = (stream) => stream[state].reader !== undefined;

function close(stream) {
  const slot = stream[state];
  slot.state = 'closed';
  slot.over?.resolve();
  const { reader } = slot;
  if (reader === undefined) return;
  reader[state].close.resolve();
  if (reader[state].readRequests === undefined) return;
  const requests = reader[state].readRequests;
  reader[state].readRequests = [];
  for (const request of requests) request.close();
}

function fail(stream, error) {
  const slot = stream[state];
  slot.state = 'errored';
  slot.storedError = error;
  slot.over?.reject(error);
  const { reader } = slot;
  if (reader === undefined) return;
  handled(reader[state].close.promise);
  reader[state].close.reject(error);
  errorRequests(reader, error);
}

function errorRequests(reader, error) {
  const slot = reader[state];
  const key = slot.readRequests === undefined ? 'readIntoRequests' : 'readRequests';
  const requests = slot[key];
  slot[key] = [];
  for (const request of requests) request.error(error);
}

function cancel(stream, reason) {
  const slot = stream[state];
  slot.disturbed = true;
  if (slot.state === 'closed') return Promise.resolve();
  if (slot.state === 'errored') return Promise.reject(slot.storedError);
  close(stream);
  const intos = slot.reader?.[state].readIntoRequests;
  if (intos !== undefined) {
    slot.reader[state].readIntoRequests = [];
    for (const request of intos) request.close(undefined);
  }
  return slot.controller[kCancel](reason).then(nothing);
}

const readRequests = (stream) => stream[state].reader?.[state].readRequests?.length ?? 0;
const readIntoRequests = (stream) => stream[state].reader?.[state].readIntoRequests?.length ?? 0;

function fulfillReadRequest(stream, chunk, isDone) {
  const request = stream[state].reader[state].readRequests.shift();
  if (isDone) request.close();
  else request.chunk(chunk);
}

function fulfillReadIntoRequest(stream, chunk, isDone) {
  const request = stream[state].reader[state].readIntoRequests.shift();
  if (isDone) request.close(chunk);
  else request.chunk(chunk);
}

// A reader takes a stream.
function attach(reader, stream) {
  const slot = reader[state];
  const from = stream[state];
  slot.stream = stream;
  from.reader = reader;
  if (from.state === 'readable') slot.close = deferred();
  else if (from.state === 'closed') slot.close = fulfilled();
  else slot.close = rejected(from.storedError);
}

function release(reader) {
  const slot = reader[state];
  const { stream } = slot;
  const error = wrongState('Reader released');
  if (stream[state].state === 'readable') {
    handled(slot.close.promise);
    slot.close.reject(error);
  } else {
    slot.close = rejected(error);
  }
  stream[state].controller[kRelease]();
  stream[state].reader = undefined;
  slot.stream = undefined;
}

function releaseDefault(reader) {
  release(reader);
  errorRequests(reader, wrongState('Releasing reader'));
}

function read(reader, request) {
  const { stream } = reader[state];
  const slot = stream[state];
  slot.disturbed = true;
  if (slot.state === 'closed') request.close();
  else if (slot.state === 'errored') request.error(slot.storedError);
  else slot.controller[kPull](request);
}

function desiredSize(controller) {
  const { stream, highWaterMark, queueTotalSize } = controller[state];
  switch (stream[state].state) {
    case 'errored': return null;
    case 'closed': return 0;
    default: return highWaterMark - queueTotalSize;
  }
}

// One at a time: what is wanted meanwhile is asked for again when it has ended.
function pull(controller, again, fail) {
  const slot = controller[state];
  if (slot.pulling) {
    slot.pullAgain = true;
    return;
  }
  slot.pulling = true;
  slot.pullAlgorithm(controller).then(() => {
    slot.pulling = false;
    if (!slot.pullAgain) return;
    slot.pullAgain = false;
    again(controller);
  }, (error) => fail(controller, error));
}

module.exports = {
  kCancel, kPull, kRelease, isReadableStream, isLocked, close, fail, cancel, readRequests,
  readIntoRequests, fulfillReadRequest, fulfillReadIntoRequest, attach, release, releaseDefault,
  errorRequests, read, desiredSize, pull,
};
