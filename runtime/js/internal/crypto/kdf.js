'use strict';
// Keys from passwords and from other keys. Without a callback they are made at once.

const native = require('internal/crypto/native');
const { outOfRange, withCode } = require('internal/errors/errors');
const { validateFunction, validateInteger, validateInt32, validateUint32, validateString } =
  require('internal/errors/validators');
const { bytesOf, isBytes } = require('internal/crypto/util');

function checkPbkdf2(password, salt, iterations, length, digest) {
  validateString(digest, 'digest');
  password = bytesOf(password, 'password', 'buffer');
  salt = bytesOf(salt, 'salt', 'buffer');
  validateInt32(iterations, 'iterations', 1);
  validateInt32(length, 'keylen', 0);
  return [digest, password, salt, iterations, length];
}

function pbkdf2(password, salt, iterations, length, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const args = checkPbkdf2(password, salt, iterations, length, digest);
  validateFunction(callback, 'callback');
  native.pbkdf2(...args, callback);
}

function pbkdf2Sync(password, salt, iterations, length, digest) {
  return native.pbkdf2(...checkPbkdf2(password, salt, iterations, length, digest));
}

// One of two names of an option.
function either(options, names, check, otherwise) {
  let found;
  for (const name of names) {
    if (options[name] === undefined) continue;
    if (found !== undefined) {
      throw withCode(Error, 'ERR_CRYPTO_SCRYPT_INVALID_PARAMETER', 'Invalid scrypt parameter');
    }
    found = options[name];
    check(found, name);
  }
  return found ?? otherwise;
}

function checkScrypt(password, salt, length, options) {
  password = bytesOf(password, 'password');
  salt = bytesOf(salt, 'salt');
  validateInt32(length, 'keylen', 0);
  const chosen = options && typeof options === 'object' ? options : {};
  const cost = either(chosen, ['N', 'cost'], validateUint32, 16384);
  const blockSize = either(chosen, ['r', 'blockSize'], validateUint32, 8);
  const parallel = either(chosen, ['p', 'parallelization'], validateUint32, 1);
  let most = 32 << 20;
  if (chosen.maxmem !== undefined) {
    most = chosen.maxmem;
    validateInteger(most, 'maxmem', 0);
  }
  // 0 stands for what is usual.
  return [password, salt, cost || 16384, blockSize || 8, parallel || 1, most || 32 << 20, length];
}

function scrypt(password, salt, length, options, callback = undefined) {
  if (callback === undefined) {
    callback = options;
    options = undefined;
  }
  const args = checkScrypt(password, salt, length, options);
  validateFunction(callback, 'callback');
  native.scrypt(...args, callback);
}

function scryptSync(password, salt, length, options) {
  return native.scrypt(...checkScrypt(password, salt, length, options));
}

const MOST_INFO = 1024;

function checkHkdf(digest, key, salt, info, length) {
  validateString(digest, 'digest');
  key = require('internal/crypto/keys').secretOf(key, 'ikm');
  salt = bytesOf(salt, 'salt');
  info = bytesOf(info, 'info');
  validateInteger(length, 'length', 0, 2147483647);
  if (isBytes(info) && info.byteLength > MOST_INFO) {
    throw outOfRange('info', `must not contain more than ${MOST_INFO} bytes`, info.byteLength);
  }
  return [digest, key, salt, info, length];
}

// Node gives ArrayBuffers here.
function hkdf(digest, key, salt, info, length, callback) {
  const args = checkHkdf(digest, key, salt, info, length);
  validateFunction(callback, 'callback');
  native.hkdf(...args, (error, made) => {
    if (error) callback(error);
    else callback(null, made.buffer);
  });
}

function hkdfSync(digest, key, salt, info, length) {
  return native.hkdf(...checkHkdf(digest, key, salt, info, length)).buffer;
}

module.exports = { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync };
