'use strict';
// What the parts of crypto share: bytes of arguments, encodings, errors, objects that become
// streams when somebody uses them as such.

const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateEncoding } = require('internal/errors/validators');
const Transform = require('internal/streams/transform');

const VIEWS = ['Buffer', 'TypedArray', 'DataView'];

const isBytes = (value) => ArrayBuffer.isView(value) || isAnyArrayBuffer(value);

function isAnyArrayBuffer(value) {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer ||
    require('util/types').isAnyArrayBuffer(value);
}

// Text in an encoding, or bytes as they are.
function bytesOf(value, name, encoding) {
  if (typeof value === 'string')
    return Buffer.from(value, encoding === 'buffer' ? 'utf8' : encoding);
  if (isBytes(value)) return value;
  throw invalidArgType(name, ['string', 'ArrayBuffer', ...VIEWS], value);
}

// Text or a view, as chunks of streams are. Encodings that are unknown count as UTF-8.
function chunkOf(value, encoding, name = 'data') {
  if (typeof value === 'string') {
    validateEncoding(value, encoding);
    return Buffer.from(value, Buffer.isEncoding(encoding) ? encoding : 'utf8');
  }
  if (ArrayBuffer.isView(value)) return value;
  throw invalidArgType(name, ['string', ...VIEWS], value);
}

// What is asked for in no known encoding stays a Buffer.
function encoded(bytes, encoding) {
  return Buffer.isEncoding(encoding) ? bytes.toString(encoding) : bytes;
}

// Errors as C throws them: the code is not part of what they print.
function plainError(Base, code, message) {
  const error = new Base(message);
  Error.captureStackTrace(error, plainError);
  error.code = code;
  return error;
}

function invalidState(method) {
  return withCode(Error, 'ERR_CRYPTO_INVALID_STATE', `Invalid state for operation ${method}`);
}

const kOptions = Symbol('kOptions');
// Of a hash; undefined once the digest was given, null in the prototype.
const kState = Symbol('kState');

// A Transform whose stream half is made when it is first looked at: most hashes are never piped.
function LazyTransform(options) {
  this[kOptions] = options;
}
Object.setPrototypeOf(LazyTransform.prototype, Transform.prototype);
Object.setPrototypeOf(LazyTransform, Transform);

function defineLazy(name) {
  Object.defineProperty(LazyTransform.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      // Prototypes are no streams.
      const isHash = kState in this && this[kState] !== null;
      if (!isHash && !(kOptions in this)) return undefined;
      // Both are plain properties from here on.
      this._readableState = undefined;
      this._writableState = undefined;
      Transform.call(this, this[kOptions]);
      this._writableState.decodeStrings = false;
      return this[name];
    },
    set(value) {
      Object.defineProperty(this, name,
        { value, writable: true, configurable: true, enumerable: true });
    },
  });
}
defineLazy('_readableState');
defineLazy('_writableState');

// Callbacks of pool work, as promises.
function promised(start) {
  return new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}

module.exports = { VIEWS, LazyTransform, bytesOf, chunkOf, encoded, invalidState, isAnyArrayBuffer,
  isBytes, kOptions, kState, plainError, promised };
