'use strict';
// Random bytes and numbers, from the system: no library is loaded for them.

const native = binding('random');
const { invalidArgType, outOfRange } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateObject, validateNumber } =
  require('internal/errors/validators');
const { isAnyArrayBuffer } = require('util/types');

const MOST = 2147483647;

function checkOffset(offset, elementSize, length) {
  validateNumber(offset, 'offset');
  const bytes = offset * elementSize;
  const most = Math.min(length, MOST);
  const isInside = bytes >= 0 && bytes <= most; // not so for NaN
  if (!isInside) throw outOfRange('offset', `>= 0 && <= ${most}`, bytes);
  return Math.trunc(bytes);
}

function checkSize(size, elementSize, offset, length) {
  validateNumber(size, 'size');
  const bytes = size * elementSize;
  const isSize = bytes >= 0 && bytes <= MOST; // not so for NaN
  if (!isSize) throw outOfRange('size', `>= 0 && <= ${MOST}`, bytes);
  const end = offset + bytes;
  if (end > length) throw outOfRange('size + offset', `<= ${length}`, end);
  return Math.trunc(bytes);
}

function checkBuffer(buffer) {
  if (!isAnyArrayBuffer(buffer) && !ArrayBuffer.isView(buffer))
    throw invalidArgType('buf', ['ArrayBuffer', 'ArrayBufferView'], buffer);
}

function part(buffer, offset, size) {
  return ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset + offset, size)
    : new Uint8Array(buffer, offset, size);
}

function randomFillSync(buffer, offset = 0, size = undefined) {
  checkBuffer(buffer);
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  offset = checkOffset(offset, elementSize, buffer.byteLength);
  size = size === undefined ? buffer.byteLength - offset
    : checkSize(size, elementSize, offset, buffer.byteLength);
  if (size > 0) native.fill(part(buffer, offset, size));
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  checkBuffer(buffer);
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  if (typeof offset === 'function') {
    callback = offset;
    offset = 0;
    size = buffer.length ?? buffer.byteLength;
  } else if (typeof size === 'function') {
    callback = size;
    size = buffer.byteLength / elementSize - offset;
  } else {
    validateFunction(callback, 'callback');
  }
  offset = checkOffset(offset, elementSize, buffer.byteLength);
  size = size === undefined ? buffer.byteLength - offset
    : checkSize(size, elementSize, offset, buffer.byteLength);
  if (size === 0) {
    callback(null, buffer);
    return;
  }
  native.fillLater(part(buffer, offset, size), (error) => {
    if (error) callback(error);
    else callback(null, buffer);
  });
}

function randomBytes(size, callback) {
  validateNumber(size, 'size');
  if (Number.isNaN(size) || size > MOST || size < 0)
    throw outOfRange('size', `>= 0 && <= ${MOST}`, size);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = Buffer.alloc(size >>> 0);
  if (callback === undefined) {
    if (bytes.length > 0) native.fill(bytes);
    return bytes;
  }
  randomFill(bytes, 0, bytes.length, callback);
  return undefined;
}

const RANGE = 2 ** 48 - 1;
const cache = { bytes: undefined, at: 0 };

// Six bytes as a number, from a store of bytes that nobody has seen.
function draw() {
  if (cache.bytes === undefined || cache.at === cache.bytes.length) {
    cache.bytes = randomFillSync(Buffer.alloc(6 * 128));
    cache.at = 0;
  }
  const value = cache.bytes.readUIntBE(cache.at, 6);
  cache.bytes.fill(0, cache.at, cache.at + 6);
  cache.at += 6;
  return value;
}

function checkInt(min, max, isShort) {
  for (const [value, name] of [[min, 'min'], [max, 'max']]) {
    if (!Number.isSafeInteger(value)) throw invalidArgType(name, 'a safe integer', value);
  }
  if (max <= min)
    throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  if (!(max - min <= RANGE))
    throw outOfRange(isShort ? 'max' : 'max - min', `<= ${RANGE}`, max - min);
}

function randomInt(min, max, callback) {
  const isShort = max === undefined || typeof max === 'function';
  if (isShort) {
    callback = max;
    max = min;
    min = 0;
  }
  const isSync = callback === undefined;
  if (!isSync) validateFunction(callback, 'callback');
  checkInt(min, max, isShort);
  const range = max - min;
  const limit = RANGE - (RANGE % range);
  let value = draw();
  while (value >= limit) value = draw();
  const result = value % range + min;
  if (isSync) return result;
  process.nextTick(callback, undefined, result);
  return undefined;
}

function randomUUID(options) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options ?? {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  const bytes = randomFillSync(Buffer.alloc(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${
    hex.slice(20)}`;
}

const INTEGERS = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array',
  'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array'];
const nameOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag).get;

function domError(message, name) {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException(message, name);
}

// Of webcrypto.
function getRandomValues(array) {
  if (!INTEGERS.includes(Reflect.apply(nameOf, array, []))) {
    throw domError('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (array.byteLength > 65536) {
    throw domError(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
  }
  randomFillSync(array, 0);
  return array;
}

module.exports = { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt,
  randomUUID };
