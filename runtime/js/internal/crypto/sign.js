'use strict';
// Signatures.

const native = require('internal/crypto/native');
const Writable = require('internal/streams/writable');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateFunction, validateString } = require('internal/errors/validators');
const { VIEWS, bytesOf, chunkOf, encoded, plainError } = require('internal/crypto/util');
const { preparePrivate, preparePublic } = require('internal/crypto/keys');

const kState = Symbol('kState');

function wholeOption(options, name) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  if (value === value >> 0) return value;
  throw invalidArgValue(`options.${name}`, value);
}

// [padding, saltLength, isP1363]
function settings(options) {
  const given = typeof options === 'object' ? options : undefined;
  const padding = wholeOption(given, 'padding');
  const salt = wholeOption(given, 'saltLength');
  const form = given?.dsaEncoding;
  if (form !== undefined && form !== 'der' && form !== 'ieee-p1363')
    throw invalidArgValue('options.dsaEncoding', form);
  return [padding, salt, form === 'ieee-p1363'];
}

function start(self, algorithm, options) {
  validateString(algorithm, 'algorithm');
  const state = native.createSignature(algorithm);
  if (state === undefined)
    throw plainError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', 'Invalid digest');
  self[kState] = state;
  Reflect.apply(Writable, self, [options]);
}

// The digest that was collected, for its one use.
function take(self) {
  const state = self[kState];
  if (state === undefined)
    throw plainError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Not initialised');
  self[kState] = undefined;
  return state;
}

// Those that sign whole messages only.
function checkKind(handle) {
  if (/^(ed|x)\d+$/.test(native.keyType(handle))) {
    throw plainError(Error, 'ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported crypto operation');
  }
}

function Sign(algorithm, options) {
  if (!new.target) return new Sign(algorithm, options);
  start(this, algorithm, options);
}
Object.setPrototypeOf(Sign.prototype, Writable.prototype);
Object.setPrototypeOf(Sign, Writable);

Sign.prototype._write = function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
};

Sign.prototype.update = function update(data, encoding) {
  const bytes = chunkOf(data, encoding);
  if (this[kState] === undefined)
    throw plainError(Error, 'ERR_CRYPTO_INVALID_STATE', 'Not initialised');
  native.addToSignature(this[kState], bytes);
  return this;
};

function keyRequired() {
  return withCode(Error, 'ERR_CRYPTO_SIGN_KEY_REQUIRED', 'No key provided to sign');
}

Sign.prototype.sign = function sign(options, encoding) {
  if (!options) throw keyRequired();
  const { handle } = preparePrivate(options);
  const chosen = settings(options);
  const state = take(this);
  checkKind(handle);
  return encoded(native.signCollected(state, handle, ...chosen), encoding);
};

function Verify(algorithm, options) {
  if (!new.target) return new Verify(algorithm, options);
  start(this, algorithm, options);
}
Object.setPrototypeOf(Verify.prototype, Writable.prototype);
Object.setPrototypeOf(Verify, Writable);
Verify.prototype._write = Sign.prototype._write;
Verify.prototype.update = Sign.prototype.update;

Verify.prototype.verify = function verify(options, signature, encoding) {
  const { handle } = preparePublic(options);
  const chosen = settings(options);
  const bytes = bytesOf(signature, 'signature', encoding);
  const state = take(this);
  checkKind(handle);
  return native.verifyCollected(state, handle, ...chosen, bytes);
};

function sign(algorithm, data, key, callback) {
  if (algorithm !== undefined && algorithm !== null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = bytesOf(data, 'data');
  if (!key) throw keyRequired();
  const chosen = settings(key);
  const { handle } = preparePrivate(key);
  return native.sign(algorithm, bytes, handle, ...chosen, callback);
}

function verify(algorithm, data, key, signature, callback) {
  if (algorithm !== undefined && algorithm !== null) validateString(algorithm, 'algorithm');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = bytesOf(data, 'data');
  const chosen = settings(key);
  if (!ArrayBuffer.isView(signature)) throw invalidArgType('signature', VIEWS, signature);
  const { handle } = preparePublic(key);
  return native.verify(algorithm, bytes, handle, ...chosen, signature, callback);
}

module.exports = { Sign, Verify, sign, verify,
  createSign: function createSign(algorithm, options) { return new Sign(algorithm, options); },
  createVerify: function createVerify(algorithm, options) {
    return new Verify(algorithm, options);
  } };
