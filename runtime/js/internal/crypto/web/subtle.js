'use strict';
// What the functions of SubtleCrypto do, once it is known that they have enough arguments.

const native = require('internal/crypto/native');
const { promised } = require('internal/crypto/util');
const { converters } = require('internal/crypto/web/webidl');
const { isCryptoKey, partsOf } = require('internal/crypto/web/key');
const { AES, DIGESTS, error, has, normalizeAlgorithm } = require('internal/crypto/web/algorithms');
const secrets = require('internal/crypto/web/secrets');
const pairs = require('internal/crypto/web/pairs');
const derive = require('internal/crypto/web/derive');

const PLACES = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];

// Arguments as the interface has them, in turn; of keys, what they are made of.
function convert(prefix, args, ...types) {
  return types.map((type, i) => {
    const made = converters[type](args[i], { prefix, context: `${PLACES[i]} argument` });
    return type === 'CryptoKey' ? partsOf(made) : made;
  });
}

const bufferOf = (bytes) => (bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer
  : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

const viewOf = (source) => (ArrayBuffer.isView(source)
  ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source));

async function digest(prefix, ...args) {
  const [algorithm, data] = convert(prefix, args, 'AlgorithmIdentifier', 'BufferSource');
  const { name } = normalizeAlgorithm(algorithm, 'digest');
  return bufferOf(await promised((done) => native.hashLater(DIGESTS[name], data, done)));
}

const isAes = (name) => AES.includes(name);

function checkEmpty(key, words) {
  if (key.type !== 'public' && key.usages.length === 0) throw error(words, 'SyntaxError');
}

async function generateKey(prefix, ...args) {
  const [algorithm, extractable, usages] = convert(prefix, args, 'AlgorithmIdentifier', 'boolean',
    'sequence<KeyUsage>');
  const normal = normalizeAlgorithm(algorithm, 'generateKey');
  const generate = isAes(normal.name) ? secrets.generateAes
    : normal.name === 'HMAC' ? secrets.generateHmac : pairs.generate;
  const made = await generate(normal, extractable, usages);
  checkEmpty(partsOf(isCryptoKey(made) ? made : made.privateKey),
    'Usages cannot be empty when creating a key.');
  return made;
}

function importAs(format, data, algorithm, extractable, usages) {
  const { name } = algorithm;
  const start = isAes(name) ? secrets.importAes : name === 'HMAC' ? secrets.importHmac
    : name === 'HKDF' || name === 'PBKDF2' ? secrets.importBase : pairs.importKey;
  const key = start(algorithm, format, data, extractable, usages);
  checkEmpty(partsOf(key), `Usages cannot be empty when importing a ${key.type} key.`);
  return key;
}

async function importKey(prefix, ...args) {
  const [format] = convert(prefix, args, 'KeyFormat');
  const [, data, algorithm, extractable, usages] = convert(prefix, args, 'KeyFormat',
    format === 'jwk' ? 'JsonWebKey' : 'BufferSource', 'AlgorithmIdentifier', 'boolean',
    'sequence<KeyUsage>');
  return importAs(format, format === 'jwk' ? data : viewOf(data),
    normalizeAlgorithm(algorithm, 'importKey'), extractable, usages);
}

const isSecret = (key) => key.type === 'secret';

function exportJwk(key) {
  return { key_ops: [...key.usages], ext: key.extractable,
    ...isSecret(key) ? secrets.secretJwk(key) : pairs.pairJwk(key) };
}

// The key in this form, undefined if there is none.
function exportAs(format, key) {
  const { name } = key.algorithm;
  const isBase = name === 'HKDF' || name === 'PBKDF2';
  switch (format) {
    case 'jwk': return isBase ? undefined : exportJwk(key);
    case 'spki':
      if (key.type !== 'public') return undefined;
      return key.key.export({ format: 'der', type: 'spki' });
    case 'pkcs8':
      if (key.type !== 'private') return undefined;
      return key.key.export({ format: 'der', type: 'pkcs8' });
    default:
      if (isSecret(key)) return isBase ? undefined : secrets.secretOf(key);
      return key.type === 'public' && !name.startsWith('RSA') ? pairs.exportRaw(key) : undefined;
  }
}

function exportChecked(format, key) {
  if (!key.extractable) throw error('key is not extractable', 'InvalidAccessError');
  const made = exportAs(format, key);
  if (made !== undefined) return made;
  throw error(`Unable to export a raw ${key.algorithm.name} ${key.type} key`,
    'InvalidAccessError');
}

async function exportKey(prefix, ...args) {
  const [format, key] = convert(prefix, args, 'KeyFormat', 'CryptoKey');
  const made = exportChecked(format, key);
  return format === 'jwk' ? made : bufferOf(made);
}

async function cipher(encrypts, usage, algorithm, key, data) {
  if (key.algorithm.name !== algorithm.name || !key.usages.includes(usage)) {
    throw error('The requested operation is not valid for the provided key',
      'InvalidAccessError');
  }
  const start = algorithm.name === 'RSA-OAEP' ? pairs.cipherRsa : secrets.cipherAes;
  return bufferOf(await start(encrypts, key, algorithm, viewOf(data)));
}

async function encrypt(prefix, ...args) {
  const [algorithm, key, data] = convert(prefix, args, 'AlgorithmIdentifier', 'CryptoKey',
    'BufferSource');
  return cipher(true, 'encrypt', normalizeAlgorithm(algorithm, 'encrypt'), key, data);
}

async function decrypt(prefix, ...args) {
  const [algorithm, key, data] = convert(prefix, args, 'AlgorithmIdentifier', 'CryptoKey',
    'BufferSource');
  return cipher(false, 'decrypt', normalizeAlgorithm(algorithm, 'decrypt'), key, data);
}

function checkSigning(algorithm, key, usage) {
  if (algorithm.name !== key.algorithm.name || !key.usages.includes(usage))
    throw error(`Unable to use this key to ${usage}`, 'InvalidAccessError');
}

async function sign(prefix, ...args) {
  const [algorithm, key, data] = convert(prefix, args, 'AlgorithmIdentifier', 'CryptoKey',
    'BufferSource');
  const normal = normalizeAlgorithm(algorithm, 'sign');
  checkSigning(normal, key, 'sign');
  return bufferOf(await (normal.name === 'HMAC' ? secrets.signHmac(key, data)
    : pairs.sign(key, normal, data)));
}

async function verify(prefix, ...args) {
  const [algorithm, key, signature, data] = convert(prefix, args, 'AlgorithmIdentifier',
    'CryptoKey', 'BufferSource', 'BufferSource');
  const normal = normalizeAlgorithm(algorithm, 'verify');
  checkSigning(normal, key, 'verify');
  return normal.name === 'HMAC' ? secrets.verifyHmac(key, data, signature)
    : pairs.verify(key, normal, data, signature);
}

function checkDeriving(algorithm, key, usage) {
  if (!key.usages.includes(usage))
    throw error(`baseKey does not have ${usage} usage`, 'InvalidAccessError');
  if (key.algorithm.name !== algorithm.name)
    throw error('Key algorithm mismatch', 'InvalidAccessError');
}

async function deriveBits(prefix, ...args) {
  const [algorithm, key] = convert(prefix, args, 'AlgorithmIdentifier', 'CryptoKey');
  const length = args[2] === null || args[2] === undefined ? null
    : converters['unsigned long'](args[2], { prefix, context: '3rd argument' });
  const normal = normalizeAlgorithm(algorithm, 'deriveBits');
  checkDeriving(normal, key, 'deriveBits');
  return bufferOf(await derive.deriveBits(normal, key, length));
}

async function deriveKey(prefix, ...args) {
  const [algorithm, key, derived, extractable, usages] = convert(prefix, args,
    'AlgorithmIdentifier', 'CryptoKey', 'AlgorithmIdentifier', 'boolean', 'sequence<KeyUsage>');
  const normal = normalizeAlgorithm(algorithm, 'deriveBits');
  const target = normalizeAlgorithm(derived, 'importKey');
  checkDeriving(normal, key, 'deriveKey');
  const length = derive.keyLength(normalizeAlgorithm(derived, 'get key length'));
  const bits = await derive.deriveBits(normal, key, length);
  return importAs('raw', bits, target, extractable, usages);
}

function wrapping(algorithm, usage, fallback) {
  return normalizeAlgorithm(algorithm, has(algorithm, usage) ? usage : fallback);
}

async function wrapKey(prefix, ...args) {
  const [format, key, wrapper, algorithm] = convert(prefix, args, 'KeyFormat', 'CryptoKey',
    'CryptoKey', 'AlgorithmIdentifier');
  const normal = wrapping(algorithm, 'wrapKey', 'encrypt');
  let bytes = exportChecked(format, key);
  if (format === 'jwk') {
    bytes = Buffer.from(JSON.stringify(bytes));
    // AES-KW takes multiples of 8 bytes: spaces are no part of JSON.
    if (normal.name === 'AES-KW' && bytes.length % 8 !== 0)
      bytes = Buffer.concat([bytes, Buffer.alloc(8 - bytes.length % 8, ' ')]);
  }
  return cipher(true, 'wrapKey', normal, wrapper, bytes);
}

async function unwrapKey(prefix, ...args) {
  const [format, wrapped, wrapper, algorithm, keyAlgorithm, extractable, usages] = convert(prefix,
    args, 'KeyFormat', 'BufferSource', 'CryptoKey', 'AlgorithmIdentifier', 'AlgorithmIdentifier',
    'boolean', 'sequence<KeyUsage>');
  const normal = wrapping(algorithm, 'unwrapKey', 'decrypt');
  const target = normalizeAlgorithm(keyAlgorithm, 'importKey');
  let data = Buffer.from(await cipher(false, 'unwrapKey', normal, wrapper, wrapped));
  if (format === 'jwk') {
    try {
      data = converters.JsonWebKey(JSON.parse(data.toString()), { prefix });
    } catch (cause) {
      throw error('Invalid wrapped JWK key', 'DataError', cause);
    }
  }
  return importAs(format, data, target, extractable, usages);
}

module.exports = { decrypt, deriveBits, deriveKey, digest, encrypt, exportKey, generateKey,
  importKey, sign, unwrapKey, verify, wrapKey };
