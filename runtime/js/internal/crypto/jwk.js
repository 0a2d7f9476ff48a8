'use strict';
// Keys as JSON Web Keys.

const native = require('internal/crypto/native');
const { withCode } = require('internal/errors/errors');
const { validateObject, validateOneOf, validateString } = require('internal/errors/validators');
const { plainError } = require('internal/crypto/util');

const CURVES = { 'P-256': 'prime256v1', 'secp256k1': 'secp256k1', 'P-384': 'secp384r1',
  'P-521': 'secp521r1' };
const SIZES = { Ed25519: 32, Ed448: 57, X25519: 32, X448: 56 };
const RSA = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];

const text = (bytes) => bytes.toString('base64url');
const bytes = (value) => Buffer.from(value, 'base64url');

function exportRsa(parts) {
  const made = { kty: 'RSA' };
  for (const name of RSA)
    if (parts[name] !== undefined) made[name] = text(parts[name]);
  return made;
}

function exportEc(parts) {
  const crv = Object.keys(CURVES).find((name) => CURVES[name] === parts.curve);
  if (crv === undefined) {
    throw plainError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_CURVE',
      `Unsupported JWK EC curve: ${parts.curve}.`);
  }
  const made = { kty: 'EC', x: text(parts.x), y: text(parts.y), crv };
  if (parts.d !== undefined) made.d = text(parts.d);
  return made;
}

const OKP = { ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };

function exportJwk(handle) {
  const type = native.keyType(handle);
  if (type === 'rsa') return exportRsa(native.keyParts(handle));
  if (type === 'ec') return exportEc(native.keyParts(handle));
  if (OKP[type] === undefined)
    throw plainError(Error, 'ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE', 'Unsupported JWK Key Type.');
  const parts = native.keyParts(handle);
  const made = { crv: OKP[type] };
  if (parts.d !== undefined) made.d = text(parts.d);
  made.x = text(parts.x);
  made.kty = 'OKP';
  return made;
}

function importOkp(key, isPublic) {
  validateOneOf(key.crv, 'key.crv', Object.keys(SIZES));
  validateString(key.x, 'key.x');
  if (!isPublic) validateString(key.d, 'key.d');
  const data = bytes(isPublic ? key.x : key.d);
  const handle = data.length === SIZES[key.crv]
    ? native.keyFromRaw(key.crv, !isPublic, data) : undefined;
  if (handle === undefined)
    throw withCode(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK data');
  return handle;
}

function importEc(key, isPublic) {
  validateOneOf(key.crv, 'key.crv', Object.keys(CURVES));
  validateString(key.x, 'key.x');
  validateString(key.y, 'key.y');
  if (!isPublic) validateString(key.d, 'key.d');
  const [x, y] = [bytes(key.x), bytes(key.y)];
  const width = { 'P-384': 48, 'P-521': 66 }[key.crv] ?? 32;
  const point = Buffer.alloc(1 + 2 * width);
  let handle;
  if (x.length <= width && y.length <= width) {
    point[0] = 4;
    x.copy(point, 1 + width - x.length);
    y.copy(point, 1 + 2 * width - y.length);
    handle = native.keyFromPoint(CURVES[key.crv], point, isPublic ? undefined : bytes(key.d));
  }
  if (handle === undefined)
    throw plainError(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK EC key');
  return handle;
}

function importRsa(key, isPublic) {
  const names = isPublic ? RSA.slice(0, 2) : RSA;
  for (const name of names) validateString(key[name], `key.${name}`);
  const handle = native.keyFromRsa(...names.map((name) => bytes(key[name])));
  if (handle === undefined)
    throw plainError(TypeError, 'ERR_CRYPTO_INVALID_JWK', 'Invalid JWK RSA key');
  return handle;
}

const IMPORTS = { RSA: importRsa, EC: importEc, OKP: importOkp };

function importJwk(key, isPublic) {
  validateObject(key, 'key');
  validateOneOf(key.kty, 'key.kty', Object.keys(IMPORTS));
  return IMPORTS[key.kty](key, isPublic);
}

module.exports = { exportJwk, importJwk };
