'use strict';
// Random bytes only: hashes and ciphers need a library that this runtime does not carry.
const native = binding('process');
const { invalidArgType, outOfRange, validateFunction, withCode } = require('internal/errors');

function randomFillSync(view, offset = 0, size = view.byteLength - offset) {
  const bytes = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset + offset, size)
    : new Uint8Array(view, offset, size);
  native.randomFill(bytes);
  return view;
}

function randomBytes(size, callback) {
  if (typeof size !== 'number') throw invalidArgType('size', 'number', size);
  if (!(size >= 0 && size <= 2147483647)) throw outOfRange('size', '>= 0 && <= 2147483647', size);
  const bytes = randomFillSync(Buffer.alloc(size));
  if (callback === undefined) return bytes;
  validateFunction(callback, 'callback');
  setImmediate(callback, null, bytes);
  return undefined;
}

function randomInt(min, max, callback) {
  if (max === undefined || typeof max === 'function') {
    callback = max;
    max = min;
    min = 0;
  }
  if (!(max > min)) throw outOfRange('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  const limit = 2 ** 48 - (2 ** 48 % range);
  let value;
  do {
    value = randomFillSync(Buffer.alloc(6)).readUIntBE(0, 6);
  } while (value >= limit);
  const result = min + value % range;
  if (callback === undefined) return result;
  setImmediate(callback, null, result);
  return undefined;
}

function randomUUID() {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${
    hex.slice(20)}`;
}

function timingSafeEqual(a, b) {
  if (a.byteLength !== b.byteLength) {
    throw withCode(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length');
  }
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}

function missing(name) {
  return () => {
    throw withCode(Error, 'ERR_METHOD_NOT_IMPLEMENTED', `crypto.${name} is not available`);
  };
}

module.exports = {
  randomBytes,
  randomFillSync,
  randomInt,
  randomUUID,
  timingSafeEqual,
  pseudoRandomBytes: randomBytes,
  randomFill: (view, callback) => setImmediate(() => callback(null, randomFillSync(view))),
  getRandomValues: randomFillSync,
  webcrypto: { getRandomValues: (view) => randomFillSync(view), randomUUID },
  createHash: missing('createHash'),
  createHmac: missing('createHmac'),
};
