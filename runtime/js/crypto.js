'use strict';
// Random bytes and hashes. Ciphers, signatures and TLS need a library that this runtime does not
// carry: what belongs to them says so when it is used.
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
  if (!Number.isSafeInteger(max)) throw invalidArgType('max', 'a safe integer', max);
  if (!Number.isSafeInteger(min)) throw invalidArgType('min', 'a safe integer', min);
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

function checkEqual(value, name) {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return;
  throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance ` +
    'of ArrayBuffer, Buffer, TypedArray, or DataView.');
}

function bytesOf(value) {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

function timingSafeEqual(first, second) {
  checkEqual(first, 'buf1');
  checkEqual(second, 'buf2');
  if (first.byteLength !== second.byteLength) {
    throw withCode(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length');
  }
  const a = bytesOf(first);
  const b = bytesOf(second);
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i] ^ b[i];
  return difference === 0;
}

function randomFill(view, offset, size, callback) {
  if (typeof offset === 'function') [callback, offset, size] = [offset, undefined, undefined];
  else if (typeof size === 'function') [callback, size] = [size, undefined];
  validateFunction(callback, 'callback');
  randomFillSync(view, offset, size);
  setImmediate(callback, null, view);
}

function missing(name) {
  const absent = { [name]() {
    throw withCode(Error, 'ERR_NO_CRYPTO', `crypto.${name} is not available in phasor: it has ` +
      'random bytes and hashes only');
  } };
  return absent[name];
}

const webcrypto = { getRandomValues: (view) => randomFillSync(view), randomUUID };

module.exports = {
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  timingSafeEqual,
  pseudoRandomBytes: randomBytes,
  getRandomValues: (view) => randomFillSync(view),
  getCiphers: () => [],
  getCurves: () => [],
  getFips: () => 0,
  webcrypto,
  constants: {},
};

for (const name of ['Hash', 'Hmac', 'KeyObject', 'createHash', 'createHmac', 'createSecretKey',
  'getHashes', 'hash', 'hkdf', 'hkdfSync', 'pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync']) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get: () => require('internal/hash')[name],
    set(value) {
      Object.defineProperty(module.exports, name,
        { value, writable: true, configurable: true, enumerable: true });
    },
  });
}

for (const name of ['createCipheriv', 'createDecipheriv', 'createDiffieHellman', 'createECDH',
  'createPrivateKey', 'createPublicKey', 'createSign', 'createVerify',
  'generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync', 'privateDecrypt',
  'privateEncrypt', 'publicDecrypt', 'publicEncrypt', 'sign', 'verify']) {
  module.exports[name] = missing(name);
}
