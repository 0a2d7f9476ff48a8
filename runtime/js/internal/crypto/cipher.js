'use strict';
// Ciphers with secret keys, and encryption with RSA keys.

const native = require('internal/crypto/native');
const { StringDecoder } = require('string_decoder');
const { invalidArgType, invalidArgValue, unknownEncoding, withCode } =
  require('internal/errors/errors');
const { validateEncoding, validateInt32, validateObject, validateString } =
  require('internal/errors/validators');
const { LazyTransform, bytesOf, chunkOf, invalidState,
  plainError } = require('internal/crypto/util');

const kState = Symbol('kState');
const kDecoder = Symbol('kDecoder');
const kTagIsOpen = Symbol('kTagIsOpen');

// A whole number among the options, or -1.
function lengthOption(options, name) {
  const value = options?.[name];
  if (value === undefined || value === null) return undefined;
  if (value !== (value >>> 0) || value > 2147483647)
    throw invalidArgValue(`options.${name}`, value);
  return value;
}

function start(self, encrypts, cipher, key, iv, options) {
  validateString(cipher, 'cipher');
  const secret = require('internal/crypto/keys').secretOf(key, 'key',
    typeof options === 'object' && options !== null ? options.encoding : undefined);
  if (iv !== null) iv = bytesOf(iv, 'iv');
  self[kState] = native.createCipher(encrypts, cipher, secret, iv,
    lengthOption(options, 'authTagLength'));
  self[kDecoder] = null;
  self[kTagIsOpen] = options?.authTagLength === undefined && /gcm$/i.test(cipher);
  Reflect.apply(LazyTransform, self, [options]);
}

function Cipheriv(cipher, key, iv, options) {
  if (!new.target) return new Cipheriv(cipher, key, iv, options);
  start(this, true, cipher, key, iv, options);
}

// Keys from passwords in the way of long ago: one round of MD5, no salt.
function startWithPassword(self, encrypts, cipher, password, options) {
  validateString(cipher, 'cipher');
  const bytes = bytesOf(password, 'password');
  const made = native.bytesToKey(cipher, bytes);
  if (made === undefined) throw plainError(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  lengthOption(options, 'authTagLength');
  if (encrypts && /^(ctr|gcm|ccm)$/.test(made.mode)) {
    process.emitWarning(`Use Cipheriv for counter mode of ${cipher}`);
  }
  start(self, encrypts, cipher, made.key, made.iv, options);
}

function Cipher(cipher, password, options) {
  if (!new.target) return new Cipher(cipher, password, options);
  startWithPassword(this, true, cipher, password, options);
}

function Decipher(cipher, password, options) {
  if (!new.target) return new Decipher(cipher, password, options);
  startWithPassword(this, false, cipher, password, options);
}

function Decipheriv(cipher, key, iv, options) {
  if (!new.target) return new Decipheriv(cipher, key, iv, options);
  start(this, false, cipher, key, iv, options);
}

// Text that is given piece by piece in one encoding, which may not change on the way.
function decode(self, bytes, encoding, isLast) {
  if (!encoding || encoding === 'buffer') return bytes;
  if (!Buffer.isEncoding(encoding)) throw unknownEncoding(encoding);
  self[kDecoder] ??= new StringDecoder(encoding);
  const wanted = new StringDecoder(encoding).encoding;
  if (wanted !== self[kDecoder].encoding) {
    throw withCode(Error, 'ERR_INTERNAL_ASSERTION', 'Cannot change encoding\nThis is caused by ' +
      'either a bug in Node.js or incorrect usage of Node.js internals.\nPlease open an issue ' +
      'with this stack trace at https://github.com/nodejs/node/issues\n');
  }
  return isLast ? self[kDecoder].end(bytes) : self[kDecoder].write(bytes);
}

const METHODS = {
  _transform(chunk, encoding, callback) {
    this.push(native.cipherUpdate(this[kState], chunkOf(chunk, encoding)));
    callback();
  },

  _flush(callback) {
    try {
      this.push(native.cipherFinal(this[kState]));
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  },

  update(data, inputEncoding, outputEncoding) {
    if (typeof data === 'string') validateEncoding(data, inputEncoding);
    const bytes = native.cipherUpdate(this[kState], chunkOf(data, inputEncoding));
    return decode(this, bytes, outputEncoding, false);
  },

  final(outputEncoding) {
    return decode(this, native.cipherFinal(this[kState]), outputEncoding, true);
  },

  setAutoPadding(isOn) {
    if (!native.setAutoPadding(this[kState], isOn === undefined ? true : Boolean(isOn)))
      throw invalidState('setAutoPadding');
    return this;
  },

  setAAD(buffer, options) {
    const encoding = options?.encoding;
    const length = lengthOption(options, 'plaintextLength');
    const bytes = bytesOf(buffer, 'aadbuf', encoding);
    if (!native.setAad(this[kState], bytes, length)) throw invalidState('setAAD');
    return this;
  },
};

function getAuthTag() {
  const tag = native.getAuthTag(this[kState]);
  if (tag === undefined) throw invalidState('getAuthTag');
  return tag;
}

let hasWarned = false;

function warnOfShortTag(self, tag) {
  if (hasWarned || tag.byteLength >= 16 || !self[kTagIsOpen] ||
      !require('internal/boot/options').isOn('pending-deprecation')) return;
  hasWarned = true;
  process.emitWarning('Using AES-GCM authentication tags of less than 128 bits without ' +
    'specifying the authTagLength option when initializing decryption is deprecated.',
  'DeprecationWarning', 'DEP0182');
}

function setAuthTag(tag, encoding) {
  const bytes = bytesOf(tag, 'buffer', encoding);
  if (!native.setAuthTag(this[kState], bytes)) throw invalidState('setAuthTag');
  warnOfShortTag(this, bytes);
  return this;
}

for (const Class of [Cipher, Cipheriv, Decipher, Decipheriv]) {
  Object.setPrototypeOf(Class.prototype, LazyTransform.prototype);
  Object.setPrototypeOf(Class, LazyTransform);
  for (const name of Object.keys(METHODS)) Class.prototype[name] = METHODS[name];
}
Cipheriv.prototype.getAuthTag = Cipher.prototype.getAuthTag = getAuthTag;
Decipheriv.prototype.setAuthTag = Decipher.prototype.setAuthTag = setAuthTag;

function getCipherInfo(nameOrNid, options) {
  const kind = typeof nameOrNid;
  if (kind === 'number') validateInt32(nameOrNid, 'nameOrNid');
  else if (kind !== 'string') throw invalidArgType('nameOrNid', ['string', 'number'], nameOrNid);
  if (options !== undefined) validateObject(options, 'options');
  const lengths = ['keyLength', 'ivLength'].map((name) => {
    const length = options?.[name];
    if (length !== undefined) validateInt32(length, `options.${name}`);
    return length;
  });
  return native.cipherInfo(nameOrNid, ...lengths);
}

let names;
function getCiphers() {
  names ??= [...new Set(native.cipherNames())].sort();
  return [...names];
}

const ENCRYPT = 0;
const DECRYPT = 1;
const SIGN = 2;
const RECOVER = 3;
const DECRYPT_ANYWAY = 4;
const PKCS1 = 1;
const OAEP = 4;

function rsa(operation, prepare, usual) {
  return function(options, buffer) {
    const isOptions = options !== null && typeof options === 'object';
    const padding = (isOptions && options.padding) || usual;
    const { oaepHash, encoding } = isOptions ? options : {};
    let { oaepLabel } = isOptions ? options : {};
    if (oaepHash !== undefined) validateString(oaepHash, 'key.oaepHash');
    if (oaepLabel !== undefined) oaepLabel = bytesOf(oaepLabel, 'key.oaepLabel', encoding);
    const bytes = bytesOf(buffer, 'buffer', encoding);
    if (oaepHash !== undefined && native.hash(oaepHash, '') === undefined)
      native.rsa(operation, undefined, padding, oaepHash); // throws: before the key is looked at
    const { handle } = prepare(options);
    return native.rsa(operation, handle, padding, oaepHash, oaepLabel, bytes);
  };
}

const keys = () => require('internal/crypto/keys');
const named = (name, work) => Object.defineProperty(work, 'name', { value: name });
const publicEncrypt = rsa(ENCRYPT, (key) => keys().preparePublic(key), OAEP);
const publicDecrypt = rsa(RECOVER, (key) => keys().preparePublic(key), PKCS1);
const privateEncrypt = rsa(SIGN, (key) => keys().preparePrivate(key), PKCS1);
const isReverted = () => require('internal/boot/options').all('security-revert')
  .includes('CVE-2023-46809');
const privateDecrypt = rsa(isReverted() ? DECRYPT_ANYWAY : DECRYPT,
  (key) => keys().preparePrivate(key), OAEP);

const { deprecate } = require('util');

module.exports = {
  Cipher, Cipheriv, Decipher, Decipheriv, getCipherInfo, getCiphers,
  createCipher: deprecate((cipher, password, options) => new Cipher(cipher, password, options),
    'crypto.createCipher is deprecated.', 'DEP0106'),
  createDecipher: deprecate((cipher, password, options) => new Decipher(cipher, password, options),
    'crypto.createDecipher is deprecated.', 'DEP0106'),
  createCipheriv: function createCipheriv(cipher, key, iv, options) {
    return new Cipheriv(cipher, key, iv, options);
  },
  createDecipheriv: function createDecipheriv(cipher, key, iv, options) {
    return new Decipheriv(cipher, key, iv, options);
  },
  publicEncrypt: named('publicEncrypt', publicEncrypt),
  publicDecrypt: named('publicDecrypt', publicDecrypt),
  privateEncrypt: named('privateEncrypt', privateEncrypt),
  privateDecrypt: named('privateDecrypt', privateDecrypt),
};
