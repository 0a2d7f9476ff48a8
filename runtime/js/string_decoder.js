'use strict';
const { encodingNumber } = require('buffer');
const { withCode } = require('internal/errors/errors');

const NAMES = ['utf8', 'utf16le', 'latin1', 'ascii', 'base64', 'base64url', 'hex'];

// Four bytes of the character that is not complete, how many it lacks, how many of the four are
// its own, and the encoding.
const kNativeDecoder = Symbol('kNativeDecoder');
const MISSING = 4;
const KEPT = 5;
const ENCODING = 6;

// How many bytes a character has that begins with a byte; 0 where none begins.
function lengthUtf8(byte) {
  if (byte < 0xC0 || byte >= 0xF8) return 0;
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
}

// What stands at the end and is not complete: [bytes that are there, bytes that it lacks].
function tailUtf8(bytes) {
  const size = bytes.length;
  for (let back = 1; back <= Math.min(4, size); back++) {
    const byte = bytes[size - back];
    if ((byte & 0xC0) === 0x80) continue;
    const lacks = lengthUtf8(byte) - back;
    return lacks > 0 ? [back, lacks] : undefined;
  }
  return undefined;
}

function tailUtf16(bytes) {
  const size = bytes.length;
  if (size % 2 === 1) return [1, 1];
  return size > 0 && (bytes[size - 1] & 0xFC) === 0xD8 ? [2, 2] : undefined;
}

function tailBase64(bytes) {
  const kept = bytes.length % 3;
  return kept > 0 ? [kept, 3 - kept] : undefined;
}

const TAILS = [tailUtf8, tailUtf16, undefined, undefined, tailBase64, tailBase64, undefined];

function decode(decoder, bytes) {
  return bytes.toString(NAMES[decoder[ENCODING]]);
}

// Takes what the character lacks from the beginning of the bytes, and says how many it took.
function complete(decoder, bytes) {
  let taken = 0;
  while (decoder[MISSING] > 0 && taken < bytes.length) {
    if (decoder[ENCODING] === 0 && (bytes[taken] & 0xC0) !== 0x80) {
      decoder[MISSING] = 0;
      break;
    }
    decoder[decoder[KEPT]++] = bytes[taken++];
    decoder[MISSING]--;
  }
  return taken;
}

function release(decoder) {
  const whole = decoder[ENCODING] === 1 ? decoder[KEPT] & ~1 : decoder[KEPT];
  const text = decode(decoder, decoder.subarray(0, whole));
  decoder[MISSING] = decoder[KEPT] = 0;
  return text;
}

// A function, not a class: programs derive from it by calling it.
function StringDecoder(encoding) {
  const number = encodingNumber(encoding);
  this.encoding = NAMES[number];
  this[kNativeDecoder] = Buffer.alloc(7);
  this[kNativeDecoder][ENCODING] = number;
}

StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBuffer.isView(chunk)) {
    throw require('internal/errors/errors').invalidArgType('buf',
      ['Buffer', 'TypedArray', 'DataView'], chunk);
  }
  const decoder = this[kNativeDecoder];
  if (decoder === undefined) {
    throw withCode(TypeError, 'ERR_INVALID_THIS', 'Value of "this" must be of type StringDecoder');
  }
  let bytes = chunk instanceof Buffer ? chunk
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let text = '';
  if (decoder[MISSING] > 0) {
    bytes = bytes.subarray(complete(decoder, bytes));
    if (decoder[MISSING] > 0) return '';
    text = release(decoder);
  }
  const tail = TAILS[decoder[ENCODING]]?.(bytes);
  if (tail !== undefined) {
    [decoder[KEPT], decoder[MISSING]] = tail;
    const at = bytes.length - tail[0];
    for (let i = 0; i < tail[0]; i++) decoder[i] = bytes[at + i];
    bytes = bytes.subarray(0, at);
  }
  return text === '' ? decode(decoder, bytes) : text + decode(decoder, bytes);
};

StringDecoder.prototype.end = function end(chunk) {
  const text = chunk === undefined ? '' : this.write(chunk);
  return this[kNativeDecoder][KEPT] > 0 ? text + release(this[kNativeDecoder]) : text;
};

StringDecoder.prototype.text = function text(chunk, offset) {
  this[kNativeDecoder][MISSING] = 0;
  this[kNativeDecoder][KEPT] = 0;
  return this.write(chunk.subarray(offset));
};

const state = {
  lastChar() { return this[kNativeDecoder].subarray(0, 4); },
  lastNeed() { return this[kNativeDecoder][MISSING]; },
  lastTotal() { return this[kNativeDecoder][KEPT] + this[kNativeDecoder][MISSING]; },
};
for (const name of Object.keys(state)) {
  Object.defineProperty(StringDecoder.prototype, name,
    { configurable: true, enumerable: true, get: state[name] });
}

module.exports = { StringDecoder };
