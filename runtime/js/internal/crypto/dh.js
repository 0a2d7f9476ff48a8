'use strict';
// Diffie-Hellman: classes that hold a pair of keys, and the secret that two key objects share.

const native = require('internal/crypto/native');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateInt32, validateObject, validateString } = require('internal/errors/validators');
const { bytesOf, encoded, isBytes, plainError } = require('internal/crypto/util');

const kState = Symbol('kState');
const kEncoded = (value, encoding) => (encoding && encoding !== 'buffer' ? encoded(value, encoding)
  : value);
const [PRIME, GENERATOR, PUBLIC, PRIVATE] = [0, 1, 2, 3];

function readGenerator(generator, encoding) {
  if (!generator) return 2;
  if (typeof generator === 'number') {
    validateInt32(generator, 'generator');
    return generator;
  }
  if (typeof generator === 'string') return bytesOf(generator, 'generator', encoding);
  if (isBytes(generator)) return generator;
  throw invalidArgType('generator',
    ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], generator);
}

function start(self, sizeOrKey, keyEncoding, generator, genEncoding) {
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
    throw invalidArgType('sizeOrKey',
      ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') validateInt32(sizeOrKey, 'sizeOrKey');
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== 'buffer') {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = false;
  }
  const chosen = readGenerator(generator, genEncoding);
  self[kState] = typeof sizeOrKey === 'number'
    ? native.createDh(sizeOrKey, typeof chosen === 'number' ? chosen : readNumber(chosen))
    : native.createDhFrom(bytesOf(sizeOrKey, 'sizeOrKey', keyEncoding || 'utf8'), chosen);
  defineVerifyError(self);
}

const readNumber = (bytes) => Number(`0x${Buffer.from(bytes).toString('hex') || 0}`);

function defineVerifyError(self) {
  let verdict;
  Object.defineProperty(self, 'verifyError', {
    enumerable: true, configurable: false, get: () => verdict ??= native.dhCheck(self[kState]),
  });
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  const self = this instanceof DiffieHellman ? this : Object.create(DiffieHellman.prototype);
  start(self, sizeOrKey, keyEncoding, generator, genEncoding);
  return self;
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  validateString(name, 'name');
  this[kState] = native.dhGroup(name);
  if (this[kState] === undefined)
    throw plainError(Error, 'ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
  defineVerifyError(this);
}

function numberOf(self, which, what, encoding) {
  const bytes = native.dhNumber(self[kState], which);
  if (bytes === undefined) {
    throw plainError(Error, 'ERR_CRYPTO_INVALID_STATE',
      `No ${what} - did you forget to generate one?`);
  }
  return kEncoded(bytes, encoding);
}

const METHODS = {
  generateKeys(encoding) {
    native.dhGenerate(this[kState]);
    return numberOf(this, PUBLIC, 'public key', encoding);
  },

  computeSecret(key, inputEncoding, outputEncoding) {
    const secret = native.dhCompute(this[kState], bytesOf(key, 'key', inputEncoding));
    return kEncoded(secret, outputEncoding);
  },

  getPrime(encoding) { return numberOf(this, PRIME, 'prime', encoding); },
  getGenerator(encoding) { return numberOf(this, GENERATOR, 'generator', encoding); },
  getPublicKey(encoding) { return numberOf(this, PUBLIC, 'public key', encoding); },
  getPrivateKey(encoding) { return numberOf(this, PRIVATE, 'private key', encoding); },
};
for (const name of Object.keys(METHODS)) {
  DiffieHellman.prototype[name] = METHODS[name];
  DiffieHellmanGroup.prototype[name] = METHODS[name];
}

DiffieHellman.prototype.setPublicKey = function setPublicKey(key, encoding) {
  native.dhSet(this[kState], false, bytesOf(key, 'key', encoding));
  return this;
};

DiffieHellman.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  native.dhSet(this[kState], true, bytesOf(key, 'key', encoding));
  return this;
};

const FORMS = { compressed: 2, uncompressed: 4, hybrid: 6 };

function formOf(format) {
  if (!format) return FORMS.uncompressed;
  if (Object.hasOwn(FORMS, format)) return FORMS[format];
  throw withCode(TypeError, 'ERR_CRYPTO_ECDH_INVALID_FORMAT', `Invalid ECDH format: ${format}`);
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  this[kState] = native.createEcdh(curve);
}

ECDH.prototype.computeSecret = function computeSecret(key, inputEncoding, outputEncoding) {
  const secret = native.ecdhCompute(this[kState], bytesOf(key, 'key', inputEncoding));
  if (secret === undefined) {
    throw withCode(Error, 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY',
      'Public key is not valid for specified curve');
  }
  return kEncoded(secret, outputEncoding);
};

ECDH.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  native.ecdhSetPrivate(this[kState], bytesOf(key, 'key', encoding));
  return this;
};

ECDH.prototype.setPublicKey = function setPublicKey(key, encoding) {
  native.ecdhSetPublic(this[kState], bytesOf(key, 'key', encoding));
  return this;
};

ECDH.prototype.getPrivateKey = function getPrivateKey(encoding) {
  return kEncoded(native.ecdhPrivate(this[kState]), encoding);
};

ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  native.ecdhGenerate(this[kState]);
  return this.getPublicKey(encoding, format);
};

ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  return kEncoded(native.ecdhPublic(this[kState], formOf(format)), encoding);
};

ECDH.convertKey = function convertKey(key, curve, inputEncoding, outputEncoding, format) {
  validateString(curve, 'curve');
  const bytes = bytesOf(key, 'key', inputEncoding);
  return kEncoded(native.convertPoint(bytes, curve, formOf(format)), outputEncoding);
};

const KINDS = ['dh', 'ec', 'x25519', 'x448'];

function diffieHellman(options) {
  validateObject(options, 'options');
  const { isKeyObject, handleOf, wrongType } = require('internal/crypto/keys');
  const { privateKey, publicKey } = options;
  if (!isKeyObject(privateKey)) throw invalidArgValue('options.privateKey', privateKey);
  if (!isKeyObject(publicKey)) throw invalidArgValue('options.publicKey', publicKey);
  if (privateKey.type !== 'private') throw wrongType(privateKey.type, 'private');
  if (publicKey.type !== 'public' && publicKey.type !== 'private')
    throw wrongType(publicKey.type, 'private or public');
  const [own, other] = [privateKey.asymmetricKeyType, publicKey.asymmetricKeyType];
  if (own !== other || !KINDS.includes(own)) {
    throw withCode(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY',
      `Incompatible key types for Diffie-Hellman: ${own} and ${other}`);
  }
  return native.derive(handleOf(privateKey), handleOf(publicKey));
}

let curves;
function getCurves() {
  curves ??= native.curveNames().sort();
  return [...curves];
}

const createGroup = (name) => new DiffieHellmanGroup(name);

module.exports = { DiffieHellman, DiffieHellmanGroup, ECDH, diffieHellman, getCurves,
  createDiffieHellman: function createDiffieHellman(sizeOrKey, keyEncoding, generator,
                                                    generatorEncoding) {
    return new DiffieHellman(sizeOrKey, keyEncoding, generator, generatorEncoding);
  },
  createDiffieHellmanGroup: createGroup,
  getDiffieHellman: createGroup,
  createECDH: function createECDH(curve) { return new ECDH(curve); } };
