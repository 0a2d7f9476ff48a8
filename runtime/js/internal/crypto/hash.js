'use strict';
// Hashes and keyed hashes.

const native = require('internal/crypto/native');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateEncoding, validateString, validateUint32 } = require('internal/errors/validators');
const { LazyTransform, VIEWS, encoded, kOptions, kState } = require('internal/crypto/util');

const { createHash, digest: finish, update: addPiece } = native;

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
  return addPiece(state, data);
}

function checkLength(options) {
  const length = typeof options === 'object' && options !== null ? options.outputLength
    : undefined;
  if (length !== undefined) validateUint32(length, 'options.outputLength');
  return length;
}

// Made in great numbers: no more steps than needed.
function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const length = options === undefined ? undefined : checkLength(options);
  if (typeof algorithm === 'string') {
    const state = createHash(algorithm, length);
    if (state === undefined) throw new Error('Digest method not supported');
    this[kState] = state;
  } else {
    if (!(algorithm instanceof Hash)) validateString(algorithm, 'algorithm');
    this[kState] = native.copyHash(algorithm[kState], length);
  }
  if (options !== undefined) this[kOptions] = options;
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

// What most hashes never have is found here, and not looked for in all that streams inherit.
Object.assign(Hash.prototype, { [kState]: null, [kResult]: undefined });

Hash.prototype.copy = function copy(options) {
  if (this[kState] === undefined) throw finalized();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  add(this[kState], chunk, encoding);
  callback();
};

// What went out as a stream can be asked for once more.
Hash.prototype._flush = function _flush(callback) {
  this[kResult] = finish(this[kState]);
  this.push(Buffer.from(this[kResult]));
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  const state = this[kState];
  if (state === undefined) throw finalized();
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw invalidArgType('data', ['string', ...VIEWS], data);
  if (!(encoding === undefined ? addPiece(state, data) : add(state, data, encoding)))
    throw withCode(Error, 'ERR_CRYPTO_HASH_UPDATE_FAILED', 'Hash update failed');
  return this;
};

Hash.prototype.digest = function digest(encoding) {
  const state = this[kState];
  if (state === undefined) throw finalized();
  if (encoding !== undefined) encoding = `${encoding}`;
  const result = this[kResult] ?? finish(state);
  this[kState] = undefined;
  return encoding === undefined ? result : encoded(result, encoding);
};

function Hmac(algorithm, key, options) {
  if (!new.target) return new Hmac(algorithm, key, options);
  validateString(algorithm, 'hmac');
  const encoding = typeof options === 'object' && options !== null ? options.encoding : undefined;
  const secret = require('internal/crypto/keys').secretOf(key, 'key', encoding);
  this[kState] = native.createHmac(algorithm, secret);
  this[kOptions] = options;
}
Object.setPrototypeOf(Hmac.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = Hash.prototype.update;
Hmac.prototype._transform = Hash.prototype._transform;
Hmac.prototype._flush = Hash.prototype._flush;

// A second call gives nothing, as in Node.
Hmac.prototype.digest = function digest(encoding) {
  if (encoding !== undefined) encoding = `${encoding}`;
  const isDone = this[kState] === undefined;
  const result = isDone ? Buffer.alloc(0) : this[kResult] ?? finish(this[kState]);
  this[kState] = undefined;
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

const named = (name, work) => Object.defineProperty(work, 'name', { value: name });

module.exports = { Hash, Hmac, getHashes, hash,
  createHash: named('createHash', (algorithm, options) => new Hash(algorithm, options)),
  createHmac: named('createHmac', (hmac, key, options) => new Hmac(hmac, key, options)) };
