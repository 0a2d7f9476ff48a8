'use strict';
// WebCrypto's pairs of keys: RSA, elliptic curves, Ed25519 and its kin.

const native = require('internal/crypto/native');
const { promised } = require('internal/crypto/util');
const { createPrivateKey, createPublicKey, handleOf, keyObject } = require('internal/crypto/keys');
const { makeKey } = require('internal/crypto/web/key');
const { DIGESTS, checkJwk, checkUsages, error, only } = require('internal/crypto/web/algorithms');
const { failed } = require('internal/crypto/web/secrets');

const CURVES = { 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
const RAW_SIZES = { Ed25519: 32, Ed448: 57, X25519: 32, X448: 56 };

// [those of public keys, those of private keys]
function usagesOf(name) {
  switch (name) {
    case 'RSA-OAEP': return [['encrypt', 'wrapKey'], ['decrypt', 'unwrapKey']];
    case 'ECDH': case 'X25519': case 'X448': return [[], ['deriveKey', 'deriveBits']];
    default: return [['verify'], ['sign']];
  }
}

const article = (name) => (/^[AEX]/.test(name) ? 'an' : 'a');
const described = (name) => (name.startsWith('RSA') ? 'a RSA' : `${article(name)} ${name}`);

async function makePair(generate, args, algorithm, extractable, usages) {
  const handle = await promised((done) => generate(...args, done))
    .catch((cause) => { throw failed(cause); });
  const [forPublic, forPrivate] = usagesOf(algorithm.name);
  return {
    publicKey: makeKey(keyObject('public', native.publicOf(handle)), algorithm,
      only(usages, ...forPublic), true),
    privateKey: makeKey(keyObject('private', handle), algorithm, only(usages, ...forPrivate),
      extractable),
  };
}

// Big-endian bytes, as a number of 32 bits; undefined if it is larger.
function exponentOf(bytes) {
  let number = 0;
  for (const byte of bytes) number = number * 256 + byte;
  return number < 2 ** 32 ? number : undefined;
}

async function generate(algorithm, extractable, usages) {
  const { name } = algorithm;
  checkUsages(usages, usagesOf(name).flat(), described(name));
  if (name.startsWith('RSA')) {
    const { modulusLength, publicExponent, hash } = algorithm;
    const exponent = exponentOf(publicExponent);
    if (exponent === undefined) {
      throw error('The publicExponent must be equivalent to an unsigned 32-bit value',
        'OperationError');
    }
    return makePair(native.generateRsa, [false, modulusLength, exponent, undefined, undefined, -1],
      { name, modulusLength, publicExponent, hash: { name: hash.name } }, extractable, usages);
  }
  if (!name.startsWith('EC'))
    return makePair(native.generateRaw, [name.toUpperCase()], { name }, extractable, usages);
  const { namedCurve } = algorithm;
  if (!Object.hasOwn(CURVES, namedCurve))
    throw error('Unrecognized namedCurve', 'NotSupportedError');
  return makePair(native.generateEc, [CURVES[namedCurve], false], { name, namedCurve }, extractable,
    usages);
}

function rsaAlg({ name, hash: { name: hash } }) {
  const bits = hash.slice(4);
  if (name === 'RSA-OAEP') return bits === '1' ? name : `${name}-${bits}`;
  return `${name === 'RSA-PSS' ? 'PS' : 'RS'}${bits}`;
}

// As Node does, the digest is looked at alone.
function hashOfAlg(alg) {
  if (alg === 'RSA-OAEP') return 'SHA-1';
  const [, bits] = /^(?:RS|PS|RSA-OAEP-)(\d+)$/.exec(alg) ?? [];
  return `SHA-${bits}`;
}

function checkJwkOf(algorithm, jwk, extractable, usages) {
  const { name, namedCurve } = algorithm;
  const isRsa = name.startsWith('RSA');
  const kty = isRsa ? 'RSA' : name.startsWith('EC') ? 'EC' : 'OKP';
  const isForSecrets = ['RSA-OAEP', 'ECDH', 'X25519', 'X448'].includes(name);
  checkJwk(jwk, kty, isForSecrets ? 'enc' : 'sig', usages, extractable);
  const wrongAlg = error('JWK "alg" does not match the requested algorithm', 'DataError');
  if (isRsa && jwk.alg !== undefined && hashOfAlg(jwk.alg) !== algorithm.hash.name) throw wrongAlg;
  if (kty === 'EC' && jwk.crv !== namedCurve)
    throw error('JWK "crv" does not match the requested algorithm', 'DataError');
  if (name === 'ECDSA' && jwk.alg !== undefined) {
    const curve = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[jwk.alg];
    if (curve !== namedCurve) throw wrongAlg;
  }
  if (kty !== 'OKP') return;
  if (jwk.crv !== name)
    throw error('JWK "crv" Parameter and algorithm name mismatch', 'DataError');
  if (jwk.alg !== undefined && name.startsWith('Ed') && jwk.alg !== name && jwk.alg !== 'EdDSA')
    throw wrongAlg;
}

function readRaw({ name, namedCurve }, data) {
  const size = RAW_SIZES[name];
  if (size === undefined) return native.keyFromPoint(CURVES[namedCurve], data);
  return data.byteLength === size ? native.keyFromRaw(name, false, data) : undefined;
}

// [the key object, is it public]
function read(algorithm, format, data, extractable, usages) {
  const [forPublic, forPrivate] = usagesOf(algorithm.name);
  const isPublic = format === 'spki' || format === 'raw' ||
    (format === 'jwk' && data.d === undefined);
  checkUsages(usages, isPublic ? forPublic : forPrivate, described(algorithm.name));
  try {
    switch (format) {
      case 'spki': return createPublicKey({ key: data, format: 'der', type: 'spki' });
      case 'pkcs8': return createPrivateKey({ key: data, format: 'der', type: 'pkcs8' });
      case 'jwk':
        checkJwkOf(algorithm, data, extractable, usages);
        return (isPublic ? createPublicKey : createPrivateKey)({ key: data, format: 'jwk' });
      default: return keyObject('public', readRaw(algorithm, data));
    }
  } catch (cause) {
    if (cause?.name === 'DataError' || cause?.name === 'SyntaxError') throw cause;
    throw error('Invalid keyData', 'DataError', cause);
  }
}

// A key whose numbers fit, with its point in the long form whatever it had.
function plainEc(key) {
  if (!native.checkKey(handleOf(key))) throw error('Invalid keyData', 'DataError');
  const { curve, x, y, d } = native.keyParts(handleOf(key));
  const point = Buffer.concat([Buffer.from([4]), x, y]);
  return keyObject(key.type, native.keyFromPoint(curve, point, d));
}

function importKey(algorithm, format, data, extractable, usages) {
  const { name } = algorithm;
  const isRsa = name.startsWith('RSA');
  const isEc = name.startsWith('EC');
  if (isEc && !Object.hasOwn(CURVES, algorithm.namedCurve))
    throw error('Unrecognized namedCurve', 'NotSupportedError');
  if (isRsa && format === 'raw')
    throw error('Unable to import RSA key with format raw', 'NotSupportedError');
  const key = read(algorithm, format, data, extractable, usages);
  const type = isRsa ? 'rsa' : isEc ? 'ec' : name.toLowerCase();
  if (key.asymmetricKeyType !== type) throw error('Invalid key type', 'DataError');
  const details = key.asymmetricKeyDetails;
  if (isEc) {
    if (details.namedCurve !== CURVES[algorithm.namedCurve])
      throw error('Named curve mismatch', 'DataError');
    return makeKey(plainEc(key), { name, namedCurve: algorithm.namedCurve },
      only(usages, ...usages), extractable);
  }
  if (!isRsa) return makeKey(key, { name }, only(usages, ...usages), extractable);
  const hex = details.publicExponent.toString(16);
  return makeKey(key, { name, modulusLength: details.modulusLength,
    publicExponent: new Uint8Array(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')),
    hash: { name: algorithm.hash.name } }, only(usages, ...usages), extractable);
}

function exportRaw(key) {
  const parts = native.keyParts(handleOf(key.key));
  return parts.y === undefined ? parts.x
    : Buffer.concat([Buffer.from([4]), parts.x, parts.y]);
}

function pairJwk(key) {
  const jwk = require('internal/crypto/jwk').exportJwk(handleOf(key.key));
  if (key.algorithm.name.startsWith('RSA')) jwk.alg = rsaAlg(key.algorithm);
  if (key.algorithm.name.startsWith('Ed')) jwk.alg = key.algorithm.name;
  return jwk;
}

const PKCS1 = 1;
const PSS = 6;

// [digest, padding, saltLength, isP1363]
function signing(key, algorithm) {
  const { name, hash, modulusLength } = key.algorithm;
  if (name === 'ECDSA') return [DIGESTS[algorithm.hash.name], undefined, undefined, true];
  if (name.startsWith('Ed')) {
    if (algorithm.context?.byteLength > 0) {
      throw error('Non zero-length context is not yet supported.', 'NotSupportedError');
    }
    return [undefined, undefined, undefined, false];
  }
  if (name !== 'RSA-PSS') return [DIGESTS[hash.name], PKCS1, undefined, false];
  const size = native.hash(DIGESTS[hash.name], '').length;
  const most = Math.ceil((modulusLength - 1) / 8) - size - 2;
  if (algorithm.saltLength > most) {
    const { outOfRange } = require('internal/errors/errors');
    throw failed(outOfRange('algorithm.saltLength', `>= 0 && <= ${most}`, algorithm.saltLength));
  }
  return [DIGESTS[hash.name], PSS, algorithm.saltLength, false];
}

function checkType(key, type) {
  if (key.type !== type) throw error(`Key must be a ${type} key`, 'InvalidAccessError');
}

async function sign(key, algorithm, data) {
  checkType(key, 'private');
  const [digest, ...rest] = signing(key, algorithm);
  const handle = handleOf(key.key);
  return promised((done) => native.sign(digest, data, handle, ...rest, done))
    .catch((cause) => { throw failed(cause); });
}

async function verify(key, algorithm, data, signature) {
  checkType(key, 'public');
  const [digest, ...rest] = signing(key, algorithm);
  const handle = handleOf(key.key);
  return promised((done) => native.verify(digest, data, handle, ...rest, signature, done))
    .catch((cause) => { throw failed(cause); });
}

const OAEP = 4;

async function cipherRsa(encrypts, key, { label }, data) {
  if (key.type !== (encrypts ? 'public' : 'private')) {
    throw error('The requested operation is not valid for the provided key', 'InvalidAccessError');
  }
  const handle = handleOf(key.key);
  const digest = DIGESTS[key.algorithm.hash.name];
  return promised((done) => native.rsa(encrypts ? 0 : 1, handle, OAEP, digest, label, data, done))
    .catch((cause) => { throw failed(cause); });
}

module.exports = { cipherRsa, exportRaw, generate, importKey, pairJwk, sign, verify };
