'use strict';
// Hashes, keyed hashes, and keys from passwords.

const native = binding('hash');
const { Transform } = require('stream');
const { invalidArgType, validateFunction, validateInteger, validateString,
  withCode } = require('internal/errors');

const ALIASES = { ripemd160: 'rmd160', ripemd: 'rmd160' };

// The library's name of a hash function; undefined if it has none.
function find(name) {
  const plain = name.toLowerCase().replace(/^rsa-/, '').replace(/^sha-(?=\d)/, 'sha');
  const known = ALIASES[plain] ?? plain;
  return native.names.includes(known) ? known : undefined;
}

function checkLibrary() {
  if (native.names.length > 0) return;
  throw withCode(Error, 'ERR_NO_CRYPTO',
    'This phasor was built without libmd, so it has no hash functions');
}

// A key that only hashes use.
class KeyObject {
  #bytes;

  constructor(type, bytes) {
    if (type !== 'secret') {
      throw withCode(Error, 'ERR_NO_CRYPTO', 'Only secret keys are available in phasor: it has ' +
        'random bytes and hashes only');
    }
    this.#bytes = Buffer.from(bytes);
  }

  get type() { return 'secret'; }

  get symmetricKeySize() { return this.#bytes.length; }

  equals(other) { return other instanceof KeyObject && this.#bytes.equals(other.#bytes); }

  export(options) {
    if (options?.format === 'jwk')
      return { kty: 'oct', k: this.#bytes.toString('base64url') };
    return Buffer.from(this.#bytes);
  }

  static bytesOf(key) { return key.#bytes; }
}

function createSecretKey(key, encoding) {
  checkKey(key, 'key');
  return new KeyObject('secret', bytesOf(key, encoding));
}

function bytesOf(data, encoding) {
  if (data instanceof KeyObject) return KeyObject.bytesOf(data);
  return typeof data === 'string' ? Buffer.from(data, encoding) : data;
}

function checkData(data) {
  if (typeof data === 'string' || ArrayBuffer.isView(data)) return;
  throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function checkKey(key, name) {
  if (typeof key === 'string' || ArrayBuffer.isView(key) || key instanceof ArrayBuffer ||
      key instanceof KeyObject) return;
  throw invalidArgType(name, ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView',
    ...name === 'key' ? ['KeyObject', 'CryptoKey'] : []], key);
}

function finalized() {
  return withCode(Error, 'ERR_CRYPTO_HASH_FINALIZED', 'Digest already called');
}

function encoded(bytes, encoding) {
  return encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

class Digest extends Transform {
  #state;
  _options;

  constructor(state, options) {
    super(options);
    Object.defineProperty(this, '_options', { value: options, enumerable: false });
    this.#state = state;
  }

  _transform(chunk, encoding, callback) {
    native.update(this.#state, bytesOf(chunk, encoding));
    callback();
  }

  _flush(callback) {
    this.push(this._finish());
    callback();
  }

  _isOpen() { return this.#state !== undefined; }

  _copyState() { return native.copy(this.#state); }

  _finish() {
    const bytes = native.digest(this.#state);
    this.#state = undefined;
    return bytes;
  }

  update(data, encoding) {
    if (!this._isOpen()) throw finalized();
    checkData(data);
    native.update(this.#state, bytesOf(data, encoding));
    return this;
  }
}

function start(algorithm) {
  validateString(algorithm, 'algorithm');
  checkLibrary();
  const name = find(algorithm);
  if (name === undefined) throw new Error('Digest method not supported');
  return native.create(name);
}

class Hash extends Digest {
  constructor(algorithm, options) {
    super(algorithm instanceof Hash ? algorithm._copyState() : start(algorithm), options);
  }

  copy(options) {
    if (!this._isOpen()) throw finalized();
    return new Hash(this, options ?? this._options);
  }

  digest(encoding) {
    if (!this._isOpen()) throw finalized();
    return encoded(this._finish(), encoding);
  }
}

function invalidDigest(name) {
  return withCode(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid digest: ${name}`);
}

class Hmac extends Digest {
  constructor(algorithm, key, options) {
    validateString(algorithm, 'hmac');
    checkKey(key, 'key');
    checkLibrary();
    const name = find(algorithm);
    if (name === undefined) throw invalidDigest(algorithm);
    super(native.create(name, bytesOf(key, options?.encoding)), options);
  }

  // A second call gives nothing, as in Node.
  digest(encoding) {
    return encoded(this._isOpen() ? this._finish() : Buffer.alloc(0), encoding);
  }
}

// They can be called without new.
function callable(Class) {
  return new Proxy(Class, { apply: (target, self, args) => new target(...args) });
}

function hash(algorithm, data, encoding = 'hex') {
  validateString(algorithm, 'algorithm');
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw invalidArgType('input', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  return new Hash(algorithm).update(data).digest(encoding);
}

function checkedPbkdf2(password, salt, iterations, length, digest) {
  checkLibrary();
  validateString(digest, 'digest');
  checkKey(password, 'password');
  checkKey(salt, 'salt');
  validateInteger(iterations, 'iterations', 1, 2147483647);
  validateInteger(length, 'keylen', 0, 2147483647);
  const name = find(digest);
  if (name === undefined) throw invalidDigest(digest);
  return [name, bytesOf(password), bytesOf(salt), iterations, length];
}

const pbkdf2Sync = (...args) => native.pbkdf2(...checkedPbkdf2(...args));

function pbkdf2(password, salt, iterations, length, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const args = checkedPbkdf2(password, salt, iterations, length, digest);
  validateFunction(callback, 'callback');
  native.pbkdf2(...args, callback);
}

function checkedScrypt(password, salt, length, options = {}) {
  checkLibrary();
  checkKey(password, 'password');
  checkKey(salt, 'salt');
  validateInteger(length, 'keylen', 0, 2147483647);
  const cost = options.N ?? options.cost ?? 16384;
  const blockSize = options.r ?? options.blockSize ?? 8;
  const parallel = options.p ?? options.parallelization ?? 1;
  const limit = options.maxmem || 32 * 1024 * 1024;
  if (cost < 2 || (cost & (cost - 1)) !== 0) {
    throw withCode(RangeError, 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS', 'Invalid scrypt params');
  }
  if (128 * blockSize * (cost + 2 + parallel) > limit) {
    throw withCode(RangeError, 'ERR_CRYPTO_INVALID_SCRYPT_PARAMS', 'Invalid scrypt params: ' +
      'error:030000AC:digital envelope routines::memory limit exceeded');
  }
  return [bytesOf(password), bytesOf(salt), cost, blockSize, parallel, length];
}

const scryptSync = (...args) => native.scrypt(...checkedScrypt(...args));

function scrypt(password, salt, length, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const args = checkedScrypt(password, salt, length, options);
  validateFunction(callback, 'callback');
  native.scrypt(...args, callback);
}

// RFC 5869
function hkdfSync(digest, key, salt, info, length) {
  checkLibrary();
  const name = find(digest);
  if (name === undefined) throw invalidDigest(digest);
  const first = new Hmac(name, bytesOf(salt)).update(bytesOf(key)).digest();
  const parts = [];
  let last = Buffer.alloc(0);
  for (let made = 0; made < length; made += last.length) {
    last = new Hmac(name, first).update(last).update(bytesOf(info))
      .update(Buffer.from([parts.length + 1])).digest();
    parts.push(last);
  }
  return new Uint8Array(Buffer.concat(parts).subarray(0, length)).buffer;
}

function hkdf(digest, key, salt, info, length, callback) {
  const made = hkdfSync(digest, key, salt, info, length);
  setImmediate(callback, null, made);
}

function getHashes() {
  return native.names.flatMap((name) => (name === 'rmd160'
    ? ['RSA-RIPEMD160', 'ripemd', 'ripemd160', name] : [`RSA-${name.toUpperCase()}`, name])).sort();
}

module.exports = {
  KeyObject,
  createSecretKey,
  Hash: callable(Hash),
  Hmac: callable(Hmac),
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key, options) => new Hmac(algorithm, key, options),
  getHashes, hash, hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync,
};
