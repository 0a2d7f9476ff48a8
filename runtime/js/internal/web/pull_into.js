'use strict';
// Bytes of a byte stream's queue, and the places in callers' memory that wait to be filled with
// them: { buffer, bufferByteLength, byteOffset, byteLength, bytesFilled, minimumFill, elementSize,
// Type, reader }, where `reader` is the kind that asked: "default", "byob", or "none" if it left.

const { state, resetQueue, wrongState } = require('internal/web/base');
const core = require('internal/web/readable_core');

const isDetached = (buffer) => buffer.detached === true;

function transfer(buffer) {
  if (isDetached(buffer)) throw wrongState('Buffer is detached');
  return buffer.transfer();
}

// The place as a view of what has been filled.
function convert(place) {
  if (place.bytesFilled > place.byteLength) throw wrongState('The buffer size is invalid');
  return new place.Type(transfer(place.buffer), place.byteOffset,
    place.bytesFilled / place.elementSize);
}

function commit(stream, place) {
  const isDone = stream[state].state === 'closed';
  const view = convert(place);
  if (place.reader === 'default') core.fulfillReadRequest(stream, view, isDone);
  else core.fulfillReadIntoRequest(stream, view, isDone);
}

function enqueueBytes(slot, buffer, byteOffset, byteLength) {
  slot.queue.push({ buffer, byteOffset, byteLength });
  slot.queueTotalSize += byteLength;
}

// A copy: the caller's memory stays the caller's.
function enqueueCopy(slot, buffer, byteOffset, byteLength) {
  enqueueBytes(slot, buffer.slice(byteOffset, byteOffset + byteLength), 0, byteLength);
}

// What a reader that left had got already is for the next one.
function enqueueLeft(slot, place) {
  if (place.bytesFilled > 0) enqueueCopy(slot, place.buffer, place.byteOffset, place.bytesFilled);
  slot.pendingPullIntos.shift();
}

// Whether the place is full enough, with what is in the queue.
function fill(slot, place) {
  const most = Math.min(slot.queueTotalSize, place.byteLength - place.bytesFilled);
  const filled = place.bytesFilled + most;
  const aligned = filled - filled % place.elementSize;
  const isReady = aligned >= place.minimumFill;
  let left = isReady ? aligned - place.bytesFilled : most;
  while (left > 0) {
    const [head] = slot.queue;
    const count = Math.min(left, head.byteLength);
    new Uint8Array(place.buffer, place.byteOffset + place.bytesFilled, count)
      .set(new Uint8Array(head.buffer, head.byteOffset, count));
    if (head.byteLength === count) slot.queue.shift();
    else {
      head.byteOffset += count;
      head.byteLength -= count;
    }
    slot.queueTotalSize -= count;
    place.bytesFilled += count;
    left -= count;
  }
  return isReady;
}

// The places that the queue fills, in their order.
function fillPlaces(slot) {
  const filled = [];
  while (slot.pendingPullIntos.length > 0 && slot.queueTotalSize > 0) {
    if (!fill(slot, slot.pendingPullIntos[0])) break;
    filled.push(slot.pendingPullIntos.shift());
  }
  return filled;
}

function invalidateRequest(slot) {
  if (slot.byobRequest === null) return;
  slot.byobRequest[state].controller = undefined;
  slot.byobRequest[state].view = null;
  slot.byobRequest = null;
}

function clearPlaces(slot) {
  invalidateRequest(slot);
  slot.pendingPullIntos = [];
}

function forget(slot) {
  clearPlaces(slot);
  resetQueue(slot);
}

const TYPES = [Uint8Array, Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
  Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];

function placeFor(view, min, reader) {
  const Type = TYPES.find((one) => view instanceof one) ?? DataView;
  const elementSize = Type === DataView ? 1 : Type.BYTES_PER_ELEMENT;
  const { byteOffset, byteLength } = view;
  const buffer = transfer(view.buffer);
  return { buffer, bufferByteLength: buffer.byteLength, byteOffset, byteLength, bytesFilled: 0,
    minimumFill: min * elementSize, elementSize, Type, reader };
}

module.exports = { isDetached, transfer, convert, commit, enqueueBytes, enqueueCopy, enqueueLeft,
  fill, fillPlaces, invalidateRequest, clearPlaces, forget, placeFor };
