'use strict';
// Which algorithm may be asked for what, and with which parameters.

const { converters } = require('internal/crypto/web/webidl');
const { DOMException } = require('internal/errors/dom_exception');

const error = (message, name, cause) => new DOMException(message,
  cause === undefined ? name : { name, cause });

function all(names, type) {
  return Object.fromEntries(names.map((name) => [name, type]));
}
const RSA = ['RSASSA-PKCS1-v1_5', 'RSA-PSS', 'RSA-OAEP'];
const EC = ['ECDSA', 'ECDH'];
const AES = ['AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-KW'];
const SIGNING = ['Ed25519', 'Ed448'];
const AGREEING = ['X25519', 'X448'];
const CIPHERS = { 'RSA-OAEP': 'RsaOaepParams', 'AES-CBC': 'AesCbcParams', 'AES-CTR': 'AesCtrParams',
  'AES-GCM': 'AesGcmParams' };
const SIGNATURES = { 'RSASSA-PKCS1-v1_5': null, 'RSA-PSS': 'RsaPssParams', 'ECDSA': 'EcdsaParams',
  'HMAC': null, 'Ed25519': null, 'Ed448': 'Ed448Params' };

const OPERATIONS = {
  digest: all(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'], null),
  encrypt: CIPHERS,
  decrypt: CIPHERS,
  sign: SIGNATURES,
  verify: SIGNATURES,
  generateKey: { ...all(RSA, 'RsaHashedKeyGenParams'), ...all(EC, 'EcKeyGenParams'),
    ...all(AES, 'AesKeyGenParams'), 'HMAC': 'HmacKeyGenParams',
    ...all([...SIGNING, ...AGREEING], null) },
  importKey: { ...all(RSA, 'RsaHashedImportParams'), ...all(EC, 'EcKeyImportParams'),
    ...all(AES, null), 'HMAC': 'HmacImportParams',
    ...all([...SIGNING, ...AGREEING, 'HKDF', 'PBKDF2'], null) },
  deriveBits: { 'HKDF': 'HkdfParams', 'PBKDF2': 'Pbkdf2Params',
    ...all(['ECDH', ...AGREEING], 'EcdhKeyDeriveParams') },
  'get key length': { ...all(AES, 'AesDerivedKeyParams'), 'HMAC': 'HmacImportParams',
    ...all(['HKDF', 'PBKDF2'], null) },
  wrapKey: { 'AES-KW': null },
  unwrapKey: { 'AES-KW': null },
};

const BYTES = ['iv', 'counter', 'additionalData', 'label', 'salt', 'info', 'context'];

function copyOf(source) {
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
  return new Uint8Array(view);
}

function normalizeAlgorithm(algorithm, operation) {
  if (typeof algorithm === 'string') algorithm = { name: algorithm };
  const options = { prefix: 'Failed to normalize algorithm', context: 'passed algorithm' };
  const { name } = converters.Algorithm(algorithm, options);
  const table = OPERATIONS[operation];
  const known = Object.keys(table).find((one) => one.toLowerCase() === name.toLowerCase());
  if (known === undefined) throw error('Unrecognized algorithm name', 'NotSupportedError');
  if (table[known] === null) return { name: known };
  const made = converters[table[known]](algorithm, options);
  made.name = known;
  for (const field of BYTES)
    if (made[field] !== undefined) made[field] = copyOf(made[field]);
  if (made.hash !== undefined) made.hash = normalizeAlgorithm(made.hash, 'digest');
  return made;
}

// Whether an algorithm of this name may be asked for this at all.
function has(algorithm, operation) {
  const name = typeof algorithm === 'string' ? algorithm : String(algorithm?.name);
  return Object.keys(OPERATIONS[operation]).some((one) => one.toLowerCase() === name.toLowerCase());
}

const DIGESTS = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };
const BLOCK_BITS = { 'SHA-1': 512, 'SHA-256': 512, 'SHA-384': 1024, 'SHA-512': 1024 };

// Usages that are not allowed make the whole request wrong.
function checkUsages(usages, allowed, what) {
  if (usages.some((usage) => !allowed.includes(usage)))
    throw error(`Unsupported key usage for ${what} key`, 'SyntaxError');
}

// Those usages that are allowed, in the order of the latter.
const only = (usages, ...allowed) => [...new Set(allowed)].filter((one) => usages.includes(one));

// "key_ops" of a JWK must hold all that the key is to be used for.
function checkKeyOps(ops, usages) {
  if (ops === undefined) return;
  if (new Set(ops).size !== ops.length)
    throw error('Duplicate key operation', 'DataError');
  if (usages.some((usage) => !ops.includes(usage)))
    throw error('Key operations and usage mismatch', 'DataError');
}

function checkJwk(jwk, kty, use, usages, extractable) {
  if (jwk.kty === undefined) throw error('Invalid keyData', 'DataError');
  if (jwk.kty !== kty) throw error('Invalid JWK "kty" Parameter', 'DataError');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use)
    throw error('Invalid JWK "use" Parameter', 'DataError');
  checkKeyOps(jwk.key_ops, usages);
  if (jwk.ext === false && extractable)
    throw error('JWK "ext" Parameter and extractable mismatch', 'DataError');
}

module.exports = { AES, BLOCK_BITS, DIGESTS, OPERATIONS, checkJwk, checkUsages, error, has, only,
  normalizeAlgorithm };
