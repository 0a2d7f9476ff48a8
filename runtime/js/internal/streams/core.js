'use strict';
// What the machinery of the streams (runtime/streams) has JavaScript do: errors in words, and the
// conversions that are not frequent.
const errors = require('internal/errors/errors');

const native = binding('streams');
const make = (code, message, Base = Error) => errors.withCode(Base, code, message, describe);

// In the order of ph_stream_error.
const KINDS = [
  () => make('ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF'),
  () => make('ERR_STREAM_UNSHIFT_AFTER_END_EVENT', 'stream.unshift() after end event'),
  (name) => make('ERR_METHOD_NOT_IMPLEMENTED', `The ${name} method is not implemented`),
  () => make('ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'),
  () => make('ERR_STREAM_WRITE_AFTER_END', 'write after end'),
  (name) => make('ERR_STREAM_DESTROYED', `Cannot call ${name} after a stream was destroyed`),
  (name) => make('ERR_STREAM_ALREADY_FINISHED', `Cannot call ${name} after a stream was finished`),
  () => make('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError),
  (chunk) => errors.invalidArgType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'],
    chunk, describe),
  (name) => errors.unknownEncoding(name),
  (size) => errors.outOfRange('size', '<= 1GiB', size),
  (name, value) => errors.invalidArgValue(`options.${name}`, value),
  () => make('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'),
  (inner, outer) => errors.aggregateTwo(inner, outer),
];

function describe(kind, value, other) {
  return KINDS[kind](value, other);
}

// Undefined if it has no bytes.
function toBuffer(chunk, encoding) {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding);
  if (chunk instanceof Buffer) return chunk;
  if (!ArrayBuffer.isView(chunk)) return undefined;
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function newDecoder(encoding) {
  const { StringDecoder } = require('string_decoder');
  return new StringDecoder(encoding);
}

const isEncoding = (name) => Buffer.isEncoding(name);

function watchSignal(signal, stream) {
  require('internal/streams/abort').addAbortSignal(signal, stream);
}

native.setup(describe, toBuffer, newDecoder, isEncoding, watchSignal, function nop() {});

// What begin() makes of a stream.
const READABLE = 1;
const WRITABLE = 2;
const DUPLEX = 7;

// A constructor for the state of one side, as packages that look for it expect.
function stateClass(name, create, prototype) {
  const State = { [name]: function(options, stream, isDuplex) {
    return create(options, Boolean(isDuplex));
  } }[name];
  State.prototype = prototype;
  Object.defineProperty(prototype, 'constructor',
    { value: State, writable: true, configurable: true });
  return State;
}

const isRequest = (stream) => Boolean(stream && stream.setHeader &&
  typeof stream.abort === 'function');

// Nothing is left to be read or written.
const isOver = (stream) => !stream.readable && !stream.writable;

// A request that a server got: its answer still needs the connection.
const isIncomingRequest = (stream) => typeof stream._dumped === 'boolean' &&
  stream.req === undefined;

// Streams of the first kind do not say themselves that they are destroyed.
const destroyed = new WeakSet();

function isDestroyed(stream) {
  return Boolean(stream.destroyed || stream._writableState?.destroyed ||
    stream._readableState?.destroyed || destroyed.has(stream));
}

// Without a method for it, a stream can only be told.
function tellLegacy(stream, error) {
  if (error) stream.emit('error', error);
  process.nextTick(() => stream.emit('close'));
}

// Destroys whatever kind of stream it is. Without an error, one that is not through is aborted.
function destroyer(stream, error) {
  if (!stream || isDestroyed(stream)) return;
  const cause = error || (isOver(stream) ? error : new errors.AbortError());
  if (isIncomingRequest(stream)) stream.socket = null;
  if (isRequest(stream)) stream.abort();
  else if (isRequest(stream.req)) stream.req.abort();
  else if (typeof stream.destroy === 'function') stream.destroy(cause);
  else if (typeof stream.close === 'function') stream.close();
  else process.nextTick(tellLegacy, stream, cause);
  if (!stream._readableState && !stream._writableState) destroyed.add(stream);
}

module.exports = { native, describe, stateClass, destroyer, READABLE, WRITABLE, DUPLEX };
