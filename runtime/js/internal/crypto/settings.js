'use strict';
// Comparing in constant time, and what there is to set.

const native = require('internal/crypto/native');
const { invalidArgType, withCode, withPlainCode } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');
const { isBytes } = require('internal/crypto/util');
const options = require('internal/boot/options');

function timingSafeEqual(buf1, buf2) {
  for (const [value, name] of [[buf1, 'buf1'], [buf2, 'buf2']]) {
    if (!isBytes(value)) {
      throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an ` +
        'instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
    }
  }
  if (buf1.byteLength !== buf2.byteLength) {
    throw withPlainCode(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length');
  }
  return native.equalBytes(buf1, buf2);
}

// There are no engines here: OpenSSL 3 has providers instead.
function setEngine(id, flags) {
  validateString(id, 'id');
  if (flags !== undefined && typeof flags !== 'number')
    throw invalidArgType('flags', 'number', flags);
  if (binding('permission').isOn()) {
    throw withCode(Error, 'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED', 'Programmatic selection of ' +
      'OpenSSL engines is unsupported while the experimental permission model is enabled');
  }
  throw withCode(Error, 'ERR_CRYPTO_ENGINE_UNKNOWN', `Engine "${id}" was not found`);
}

function getFips() {
  return native.getFips();
}

function setFips(isOn) {
  if (options.isOn('force-fips')) {
    if (isOn) return;
    throw withCode(Error, 'ERR_CRYPTO_FIPS_FORCED',
      'Cannot set FIPS mode, it was forced with --force-fips at startup.');
  }
  if (!require('worker_threads').isMainThread) {
    throw withCode(TypeError, 'ERR_WORKER_UNSUPPORTED_OPERATION',
      'Calling crypto.setFips() is not supported in workers');
  }
  native.setFips(Boolean(isOn));
}

function secureHeapUsed() {
  const used = native.secureHeap();
  if (used === undefined) return { total: 0, used: 0, utilization: 0, min: 0 };
  const total = Number(options.last('secure-heap'));
  return { total, used, utilization: used / total,
    min: Number(options.last('secure-heap-min') ?? 2) };
}

module.exports = { timingSafeEqual, setEngine, getFips, setFips, secureHeapUsed };
