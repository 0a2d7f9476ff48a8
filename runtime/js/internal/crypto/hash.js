'use strict';
// Hashes and keyed hashes.

const native = binding('crypto');
const { validateEncoding, validateString, validateUint32, invalidArgType,
  invalidArgValue, withCode } = require('internal/validators');
const { LazyTransform, VIEWS, encoded } = require('internal/crypto/util');

const kState = Symbol('kState');
const kDone = Symbol('kDone');
const kResult = Symbol('kResult');

function finalized() {
  return withCode(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}

// C takes UTF-8 as text; other encodings become bytes first.
function add(state, data, encoding) {
  if (typeof data === 'string' && encoding !== undefined && encoding !== 'utf8') {
    validateEncoding(data, encoding);
    if (Buffer.isEncoding(encoding)) data = Buffer.from(data, encoding);
  }
  return native.update(state, data);
}

function checkLength(options) {
  const length = typeof options === 'object' && options !== null ? options.outputLength
    : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  return length;
}

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const length = checkLength(options);
  if (algorithm instanceof Hash) {
    this[kState] = native.copyHash(algorithm[kState], length);
  } else {
    validateString(algorithm, 'algorithm');
    const state = native.createHash(algorithm, length);
    if (state === undefined) throw new Error('Digest method not supported');
    this[kState] = state;
  }
  this[kDone] = false;
  Reflect.apply(LazyTransform, this, [options]);
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

Hash.prototype.copy = function copy(options) {
  if (this[kDone]) throw finalized();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  add(this[kState], chunk, encoding);
  callback();
};

// What went out as a stream can be asked for once more.
Hash.prototype._flush = function _flush(callback) {
  this[kResult] = native.digest(this[kState]);
  this.push(Buffer.from(this[kResult]));
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  if (this[kDone]) throw finalized();
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw invalidArgType('data', ['string', ...VIEWS], data);
  if (!add(this[kState], data, encoding))
    throw withCode(Error, 'ERR_CRYPTO_HASH_UPDATE_FAILED', 'Hash update failed');
  return this;
};

Hash.prototype.digest = function digest(encoding) {
  if (this[kDone]) throw finalized();
  if (encoding !== undefined) encoding = `${encoding}`;
  const result = this[kResult] ?? native.digest(this[kState]);
  this[kDone] = true;
  return encoding === undefined ? result : encoded(result, encoding);
};

function Hmac(algorithm, key, options) {
  if (!new.target) return new Hmac(algorithm, key, options);
  validateString(algorithm, 'hmac');
  const encoding = typeof options === 'object' && options !== null ? options.encoding : undefined;
  const secret = require('internal/crypto/keys').secretOf(key, 'key', encoding);
  this[kState] = native.createHmac(algorithm, secret);
  this[kDone] = false;
  Reflect.apply(LazyTransform, this, [options]);
}
Object.setPrototypeOf(Hmac.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = Hash.prototype.update;
Hmac.prototype._transform = Hash.prototype._transform;
Hmac.prototype._flush = Hash.prototype._flush;

// A second call gives nothing, as in Node.
Hmac.prototype.digest = function digest(encoding) {
  if (encoding !== undefined) encoding = `${encoding}`;
  const result = this[kDone] ? Buffer.alloc(0) : this[kResult] ?? native.digest(this[kState]);
  this[kDone] = true;
  return encoded(result, encoding);
};

function hash(algorithm, input, outputEncoding = 'hex') {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !ArrayBuffer.isView(input))
    throw invalidArgType('input', ['string', ...VIEWS], input);
  if (outputEncoding !== 'hex') {
    validateString(outputEncoding, 'outputEncoding');
    if (outputEncoding !== 'buffer' && !Buffer.isEncoding(outputEncoding))
      throw invalidArgValue('outputEncoding', outputEncoding);
  }
  const made = native.hash(algorithm, input);
  if (made === undefined) throw new Error(`Digest method ${algorithm} is not supported`);
  return encoded(made, outputEncoding);
}

let names;
function getHashes() {
  names ??= native.hashNames();
  return [...names];
}

module.exports = { Hash, Hmac, getHashes, hash,
  createHash: function createHash(algorithm, options) { return new Hash(algorithm, options); },
  createHmac: function createHmac(hmac, key, options) { return new Hmac(hmac, key, options); } };
