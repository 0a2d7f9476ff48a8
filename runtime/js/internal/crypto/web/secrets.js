'use strict';
// WebCrypto's secret keys: AES and HMAC, and what keys are derived from.

const native = require('internal/crypto/native');
const { promised } = require('internal/crypto/util');
const { createSecretKey, handleOf, keyObject } = require('internal/crypto/keys');
const { makeKey } = require('internal/crypto/web/key');
const { BLOCK_BITS, DIGESTS, checkJwk, checkUsages, error,
  only } = require('internal/crypto/web/algorithms');

const secretOf = (key) => native.secretBytes(handleOf(key.key));

function checkAesUsages(name, usages) {
  checkUsages(usages, name === 'AES-KW' ? ['wrapKey', 'unwrapKey']
    : ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'], 'an AES');
}

const isAesLength = (length) => length === 128 || length === 192 || length === 256;

async function generateAes({ name, length }, extractable, usages) {
  if (!isAesLength(length))
    throw error('AES key length must be 128, 192, or 256 bits', 'OperationError');
  checkAesUsages(name, usages);
  const handle = await promised((done) => native.generateSecret(length / 8, done));
  return makeKey(keyObject('secret', handle), { name, length }, only(usages, ...usages),
    extractable);
}

const aesAlg = (name, length) => `A${length}${name.slice(4)}`;

// The secret of a JWK or of raw bytes, as a KeyObject.
function readSecret(format, data, use, usages, extractable, what) {
  if (format === 'raw') return createSecretKey(data);
  if (format !== 'jwk')
    throw error(`Unable to import ${what} key with format ${format}`, 'NotSupportedError');
  checkJwk(data, 'oct', use, usages, extractable);
  if (typeof data.k !== 'string') throw error('Invalid keyData', 'DataError');
  return createSecretKey(Buffer.from(data.k, 'base64url'));
}

function importAes({ name }, format, data, extractable, usages) {
  checkAesUsages(name, usages);
  const key = readSecret(format, data, 'enc', usages, extractable, 'AES');
  const length = key.symmetricKeySize * 8;
  if (!isAesLength(length)) throw error('Invalid key length', 'DataError');
  if (format === 'jwk' && data.alg !== undefined && data.alg !== aesAlg(name, length))
    throw error('JWK "alg" does not match the requested algorithm', 'DataError');
  return makeKey(key, { name, length }, only(usages, ...usages), extractable);
}

function failed(cause) {
  return error('The operation failed for an operation-specific reason', 'OperationError', cause);
}

function once(encrypts, name, key, iv, aad, tagLength, data) {
  return promised((done) => native.cipherOnce(encrypts, name, key, iv, aad, tagLength, data, done))
    .catch((cause) => { throw failed(cause); });
}

// The counter is the last bits of its block only: where it turns over, the text is in two parts.
async function counted(encrypts, name, key, { counter, length }, data) {
  if (counter.byteLength !== 16)
    throw error('algorithm.counter must contain exactly 16 bytes', 'OperationError');
  if (length === 0 || length > 128)
    throw error('AES-CTR algorithm.length must be between 1 and 128', 'OperationError');
  const blocks = BigInt(Math.ceil(data.byteLength / 16));
  const whole = BigInt(`0x${Buffer.from(counter).toString('hex')}`);
  const range = 1n << BigInt(length);
  if (blocks > range) throw failed(new Error('the counter would repeat itself'));
  const left = range - whole % range;
  if (blocks <= left) return once(encrypts, name, key, counter, undefined, 0, data);
  const zero = (whole - whole % range).toString(16).padStart(32, '0');
  const at = Number(left) * 16;
  const first = await once(encrypts, name, key, counter, undefined, 0, data.subarray(0, at));
  const rest = await once(encrypts, name, key, Buffer.from(zero, 'hex'), undefined, 0,
    data.subarray(at));
  return Buffer.concat([first, rest]);
}

const TAGS = [32, 64, 96, 104, 112, 120, 128];

function gcm(encrypts, cipher, secret, { iv, additionalData, tagLength = 128 }, data) {
  if (!TAGS.includes(tagLength))
    throw error(`${tagLength} is not a valid AES-GCM tag length`, 'OperationError');
  if (!encrypts && data.byteLength < tagLength / 8)
    throw error('The provided data is too small.', 'OperationError');
  if (iv.byteLength === 0) {
    const cause = new TypeError('Invalid initialization vector');
    cause.code = 'ERR_CRYPTO_INVALID_IV';
    throw failed(cause);
  }
  return once(encrypts, cipher, secret, iv, additionalData, tagLength / 8, data);
}

function cipherAes(encrypts, key, algorithm, data) {
  const secret = secretOf(key);
  const cipher = `aes-${secret.length * 8}-${key.algorithm.name.slice(4).toLowerCase()}`;
  switch (key.algorithm.name) {
    case 'AES-CBC':
      if (algorithm.iv.byteLength !== 16)
        throw error('algorithm.iv must contain exactly 16 bytes', 'OperationError');
      return once(encrypts, cipher, secret, algorithm.iv, undefined, 0, data);
    case 'AES-CTR': return counted(encrypts, cipher, secret, algorithm, data);
    case 'AES-KW':
      return once(encrypts, `id-aes${secret.length * 8}-wrap`, secret, undefined, undefined, 0,
        data);
    default: return gcm(encrypts, cipher, secret, algorithm, data);
  }
}

async function generateHmac({ name, hash, length }, extractable, usages) {
  checkUsages(usages, ['sign', 'verify'], 'an HMAC');
  if (length === 0) throw error('Zero-length key is not supported', 'OperationError');
  const bits = length ?? BLOCK_BITS[hash.name];
  const handle = await promised((done) => native.generateSecret(Math.ceil(bits / 8), done));
  return makeKey(keyObject('secret', handle), { name, length: bits, hash: { name: hash.name } },
    only(usages, ...usages), extractable);
}

const hmacAlg = (hash) => `HS${hash.slice(4)}`;

function importHmac({ name, hash, length }, format, data, extractable, usages) {
  checkUsages(usages, ['sign', 'verify'], 'an HMAC');
  const key = readSecret(format, data, 'sig', usages, extractable, 'HMAC');
  if (format === 'jwk' && data.alg !== undefined && data.alg !== hmacAlg(hash.name))
    throw error('JWK "alg" does not match the requested algorithm', 'DataError');
  const bits = key.symmetricKeySize * 8;
  if (bits === 0 || length === 0) throw error('Zero-length key is not supported', 'DataError');
  if (length !== undefined && length !== bits) throw error('Invalid key length', 'DataError');
  return makeKey(key, { name, hash: { name: hash.name }, length: bits }, only(usages, ...usages),
    extractable);
}

function signHmac(key, data) {
  const state = native.createHmac(DIGESTS[key.algorithm.hash.name], secretOf(key));
  native.update(state, data);
  return native.digest(state);
}

// At once: the program may change the bytes when it has called.
function verifyHmac(key, data, signature) {
  const made = signHmac(key, data);
  return made.length === signature.byteLength && native.equalBytes(made, signature);
}

// HKDF and PBKDF2: what is derived from.
function importBase({ name }, format, data, extractable, usages) {
  if (format !== 'raw')
    throw error(`Unable to import ${name} key with format ${format}`, 'NotSupportedError');
  checkUsages(usages, ['deriveKey', 'deriveBits'], `a ${name}`);
  if (extractable) throw error(`${name} keys are not extractable`, 'SyntaxError');
  return makeKey(createSecretKey(data), { name }, only(usages, ...usages), false);
}

function secretJwk(key) {
  const { name, length, hash } = key.algorithm;
  return { kty: 'oct', k: secretOf(key).toString('base64url'),
    alg: name === 'HMAC' ? hmacAlg(hash.name) : aesAlg(name, length) };
}

module.exports = { cipherAes, failed, generateAes, generateHmac, importAes, importBase, importHmac,
  isAesLength, secretJwk, secretOf, signHmac, verifyHmac };
