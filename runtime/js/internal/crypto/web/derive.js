'use strict';
// Bits from other keys and from passwords.

const native = require('internal/crypto/native');
const { promised } = require('internal/crypto/util');
const { handleOf } = require('internal/crypto/keys');
const { partsOf } = require('internal/crypto/web/key');
const { BLOCK_BITS, DIGESTS, error } = require('internal/crypto/web/algorithms');
const { failed, isAesLength, secretOf } = require('internal/crypto/web/secrets');

async function agree(algorithm, key, length) {
  const other = partsOf(algorithm.public);
  if (other.type !== 'public')
    throw error('algorithm.public must be a public key', 'InvalidAccessError');
  if (key.type !== 'private')
    throw error('algorithm.baseKey must be a private key', 'InvalidAccessError');
  const names = ['ECDH', 'X25519', 'X448'];
  if (!names.includes(key.algorithm.name) || !names.includes(other.algorithm.name))
    throw error('Keys must be ECDH, X25519, or X448 keys', 'InvalidAccessError');
  if (key.algorithm.name !== other.algorithm.name) {
    throw error(`The public and private keys must be of the same type`, 'InvalidAccessError');
  }
  if (key.algorithm.namedCurve !== other.algorithm.namedCurve)
    throw error('Named curve mismatch', 'InvalidAccessError');
  const bits = await promised((done) => native.derive(handleOf(key.key),
    handleOf(other.key), done)).catch((cause) => { throw failed(cause); });
  if (length === null) return bits;
  if (bits.length * 8 < length) throw error('derived bit length is too small', 'OperationError');
  const cut = new Uint8Array(bits.subarray(0, Math.ceil(length / 8)));
  // Of the last byte, the upper bits only.
  if (length % 8 !== 0) cut[cut.length - 1] &= 0xFF00 >> (length % 8);
  return cut;
}

function checkLength(length) {
  if (length === null) throw error('length cannot be null', 'OperationError');
  if (length === 0) throw error('length cannot be zero', 'OperationError');
  if (length % 8 !== 0) throw error('length must be a multiple of 8', 'OperationError');
}

async function expand({ hash, salt, info }, key, length) {
  checkLength(length);
  return promised((done) => native.hkdf(DIGESTS[hash.name], secretOf(key), salt, info, length / 8,
    done)).catch((cause) => { throw failed(cause); });
}

async function stretch({ hash, salt, iterations }, key, length) {
  checkLength(length);
  if (iterations === 0) throw error('iterations cannot be zero', 'OperationError');
  return promised((done) => native.pbkdf2(DIGESTS[hash.name], secretOf(key), salt, iterations,
    length / 8, done)).catch((cause) => { throw failed(cause); });
}

function deriveBits(algorithm, key, length) {
  if (algorithm.name === 'HKDF') return expand(algorithm, key, length);
  if (algorithm.name === 'PBKDF2') return stretch(algorithm, key, length);
  return agree(algorithm, key, length);
}

// How many bits a derived key needs; null: what there is.
function keyLength({ name, length, hash }) {
  if (name === 'HKDF' || name === 'PBKDF2') return null;
  if (name !== 'HMAC') {
    if (!isAesLength(length)) throw error('Invalid key length', 'OperationError');
    return length;
  }
  if (length === undefined) return BLOCK_BITS[hash.name];
  if (length > 0) return length;
  const { withCode } = require('internal/errors/errors');
  throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE', 'length must be greater than 0');
}

module.exports = { deriveBits, keyLength };
