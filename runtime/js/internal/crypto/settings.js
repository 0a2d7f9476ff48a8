'use strict';
// Comparing in constant time, and what there is to set.

const native = binding('crypto');
const { invalidArgType, validateString, withCode } = require('internal/validators');
const { isBytes } = require('internal/crypto/util');

function timingSafeEqual(buf1, buf2) {
  for (const [value, name] of [[buf1, 'buf1'], [buf2, 'buf2']]) {
    if (!isBytes(value)) {
      throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an ` +
        'instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
    }
  }
  if (buf1.byteLength !== buf2.byteLength) {
    throw withCode(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
      'Input buffers must have the same byte length');
  }
  return native.equalBytes(buf1, buf2);
}

// There are no engines here: OpenSSL 3 has providers instead.
function setEngine(id, flags) {
  validateString(id, 'id');
  if (flags !== undefined && typeof flags !== 'number')
    throw invalidArgType('flags', 'number', flags);
  throw withCode(Error, 'ERR_CRYPTO_ENGINE_UNKNOWN', `Engine "${id}" was not found`);
}

function getFips() {
  return native.getFips();
}

function setFips(isOn) {
  native.setFips(Boolean(isOn));
}

function secureHeapUsed() {
  const used = native.secureHeap();
  return used === undefined ? { total: 0, used: 0, utilization: 0, min: 0 }
    : { total: 0, used, utilization: 0, min: 0 };
}

module.exports = { timingSafeEqual, setEngine, getFips, setFips, secureHeapUsed };
