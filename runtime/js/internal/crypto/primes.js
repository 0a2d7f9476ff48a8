'use strict';
// Prime numbers.

const native = require('internal/crypto/native');
const { invalidArgType, outOfRange } = require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInt32, validateObject } =
  require('internal/errors/validators');
const { isBytes } = require('internal/crypto/util');

const KINDS = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'];

// A number that may come as a bigint.
function bytesOf(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0) throw outOfRange(name, '>= 0', value);
    const hex = value.toString(16);
    return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  }
  if (isBytes(value)) return value;
  throw invalidArgType(name, KINDS, value);
}

function checkGenerate(size, options) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  return {
    args: [size, safe, add === undefined ? undefined : bytesOf(add, 'options.add'),
      rem === undefined ? undefined : bytesOf(rem, 'options.rem')],
    give: (bytes) => (bigint ? BigInt(`0x${bytes.toString('hex')}`) : bytes.buffer),
  };
}

function generatePrime(size, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const { args, give } = checkGenerate(size, options);
  native.generatePrime(...args, (error, bytes) => {
    if (error) callback(error);
    else callback(undefined, give(bytes));
  });
}

function generatePrimeSync(size, options = {}) {
  const { args, give } = checkGenerate(size, options);
  return give(native.generatePrime(...args));
}

function checkCheck(candidate, options) {
  const bytes = bytesOf(candidate, 'candidate');
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return [bytes, checks];
}

function checkPrime(candidate, options = {}, callback = undefined) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  // The candidate is looked at first.
  const bytes = bytesOf(candidate, 'candidate');
  validateFunction(callback, 'callback');
  const args = checkCheck(bytes, options);
  native.checkPrime(...args, (error, isPrime) => {
    if (error) callback(error);
    else callback(undefined, isPrime);
  });
}

function checkPrimeSync(candidate, options = {}) {
  return native.checkPrime(...checkCheck(candidate, options));
}

module.exports = { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync };
