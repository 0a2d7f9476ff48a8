'use strict';
// Keys as objects, and keys that come as text, bytes, JWK or objects to whoever uses them.

const native = require('internal/crypto/native');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateObject, validateOneOf } = require('internal/errors/validators');
const { bytesOf, isBytes } = require('internal/crypto/util');
const { isText, parseEncoding } = require('internal/crypto/key_options');

const kKeyType = Symbol('kKeyType');
const kAsymmetricKeyType = Symbol('kAsymmetricKeyType');
const kAsymmetricKeyDetails = Symbol('kAsymmetricKeyDetails');

class KeyObject {
  #handle;

  constructor(type, handle) {
    if (type !== 'secret' && type !== 'public' && type !== 'private')
      throw invalidArgValue('type', type);
    if (typeof handle !== 'object' || !native.isKey(handle))
      throw invalidArgType('handle', 'object', handle);
    this[kKeyType] = type;
    this.#handle = handle;
  }

  get type() { return this[kKeyType]; }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject))
      throw invalidArgType('otherKeyObject', 'KeyObject', otherKeyObject);
    return otherKeyObject.type === this.type &&
      native.equalKeys(this.#handle, otherKeyObject.#handle);
  }

  static from(key) {
    if (!isCryptoKey(key)) throw invalidArgType('key', 'CryptoKey', key);
    return keyOfCryptoKey(key);
  }

  // Those two are taken away again below.
  static handleOf(key) { return key.#handle; }

  static has(value) { return typeof value === 'object' && value !== null && #handle in value; }
}
const { handleOf, has: isKeyObject } = KeyObject;
delete KeyObject.handleOf;
delete KeyObject.has;
Object.defineProperty(KeyObject.prototype, 'type', { enumerable: false });
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag,
  { value: 'KeyObject', configurable: true });

class SecretKeyObject extends KeyObject {
  get symmetricKeySize() { return native.secretSize(handleOf(this)); }

  export(options) {
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') {
        return { kty: 'oct', k: native.secretBytes(handleOf(this)).toString('base64url') };
      }
    }
    return native.secretBytes(handleOf(this));
  }
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType() {
    return this[kAsymmetricKeyType] ??= native.keyType(handleOf(this));
  }

  get asymmetricKeyDetails() {
    if (!/^(rsa|rsa-pss|dsa|ec)$/.test(this.asymmetricKeyType)) return {};
    if (this[kAsymmetricKeyDetails] === undefined) {
      const details = native.keyDetails(handleOf(this));
      if (details.publicExponent !== undefined)
        details.publicExponent = BigInt(`0x${details.publicExponent.toString('hex')}`);
      this[kAsymmetricKeyDetails] = details;
    }
    return { ...this[kAsymmetricKeyDetails] };
  }
}

function exportAs(handle, { format, type, cipher, passphrase }) {
  if (format === 'jwk') return require('internal/crypto/jwk').exportJwk(handle);
  return native.exportKey(handle, format === 'pem', type, cipher, passphrase);
}

class PublicKeyObject extends AsymmetricKeyObject {
  export(options) {
    return exportAs(handleOf(this), parseEncoding(options, this.asymmetricKeyType, true));
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  export(options) {
    return exportAs(handleOf(this), parseEncoding(options, this.asymmetricKeyType, false));
  }
}

const CLASSES = { secret: SecretKeyObject, public: PublicKeyObject, private: PrivateKeyObject };

const keyObject = (type, handle) => new CLASSES[type](type, handle);

function isCryptoKey(value) {
  return typeof value === 'object' && value !== null && !isBytes(value) && value.constructor &&
    require('internal/crypto/web/key').isCryptoKey(value);
}

function keyOfCryptoKey(key) {
  return require('internal/crypto/web/key').keyObjectOf(key);
}

function wrongType(actual, expected) {
  return withCode(TypeError, 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
    `Invalid key object type ${actual}, expected ${expected}.`);
}

const CREATE_PUBLIC = 1;
const CREATE_PRIVATE = 2;
const USE_PUBLIC = 3;
const USE_PRIVATE = 4;
const BYTES = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const TEXTS = [...BYTES, 'string'];
const KEYS = [...TEXTS, 'KeyObject', 'CryptoKey'];

function handleOfObject(key, purpose) {
  if (purpose === CREATE_PRIVATE) throw invalidArgType('key', ['string', ...BYTES], key);
  if (key.type !== 'private') {
    if (purpose === USE_PRIVATE || purpose === CREATE_PUBLIC)
      throw wrongType(key.type, 'private');
    if (key.type !== 'public') throw wrongType(key.type, 'private or public');
  }
  return handleOf(key);
}

// A handle for the key that somebody gave, in whatever form.
function prepare(key, purpose) {
  if (isKeyObject(key)) return { handle: handleOfObject(key, purpose) };
  if (isCryptoKey(key)) return { handle: handleOfObject(keyOfCryptoKey(key), purpose) };
  const isPrivate = purpose === CREATE_PRIVATE || purpose === USE_PRIVATE;
  if (isText(key)) return { handle: native.parseKey(isPrivate, bytesOf(key, 'key'), true) };
  if (typeof key !== 'object' || key === null)
    throw invalidArgType('key', purpose === CREATE_PRIVATE ? TEXTS : KEYS, key);
  const { key: data, encoding, format } = key;
  if (isKeyObject(data)) return { handle: handleOfObject(data, purpose) };
  if (isCryptoKey(data)) return { handle: handleOfObject(keyOfCryptoKey(data), purpose) };
  if (format === 'jwk') {
    if (typeof data !== 'object' || data === null)
      throw invalidArgType('key.key', 'object', data);
    return { handle: require('internal/crypto/jwk').importJwk(data, !isPrivate) };
  }
  if (!isText(data))
    throw invalidArgType('key.key', purpose === CREATE_PRIVATE ? TEXTS : KEYS, data);
  const { format: form, type, passphrase } = parseEncoding(key, undefined,
    isPrivate ? false : undefined);
  return { handle: native.parseKey(isPrivate, bytesOf(data, 'key', encoding), form === 'pem', type,
    passphrase) };
}

function createPublicKey(key) {
  const { handle } = prepare(key, CREATE_PUBLIC);
  return new PublicKeyObject('public', native.publicOf(handle));
}

function createPrivateKey(key) {
  return new PrivateKeyObject('private', prepare(key, CREATE_PRIVATE).handle);
}

function createSecretKey(key, encoding) {
  if (!isText(key)) throw invalidArgType('key', BYTES, key);
  return new SecretKeyObject('secret', native.secretKey(bytesOf(key, 'key', encoding)));
}

// The bytes of a secret key that came in whatever form.
function secretOf(key, name, encoding) {
  if (isBytes(key)) return key;
  if (isKeyObject(key) || isCryptoKey(key)) {
    const object = isKeyObject(key) ? key : keyOfCryptoKey(key);
    if (object.type !== 'secret') throw wrongType(object.type, 'secret');
    return native.secretBytes(handleOf(object));
  }
  if (typeof key !== 'string') throw invalidArgType(name, KEYS, key);
  return bytesOf(key, name, encoding);
}

const FORMS = { public: 'spki', private: 'pkcs8' };

require('internal/crypto/kinds').register('KeyObject', {
  is: isKeyObject,
  pack: (key) => [key[kKeyType], key[kKeyType] === 'secret' ? native.secretBytes(handleOf(key))
    : native.exportKey(handleOf(key), false, FORMS[key[kKeyType]])],
  revive: ([type, bytes]) => keyObject(type, type === 'secret' ? native.secretKey(bytes)
    : native.parseKey(type === 'private', bytes, false, FORMS[type])),
});

module.exports = {
  KeyObject, PrivateKeyObject, PublicKeyObject, SecretKeyObject, createPrivateKey, createPublicKey,
  createSecretKey, exportAs, handleOf, isCryptoKey, isKeyObject, keyObject, secretOf, wrongType,
  preparePrivate: (key) => prepare(key, USE_PRIVATE),
  preparePublic: (key) => prepare(key, USE_PUBLIC),
};
