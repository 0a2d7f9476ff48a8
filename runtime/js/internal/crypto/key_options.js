'use strict';
// What is said about keys as text and bytes: their form, their kind, who may read them.

const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { bytesOf, isBytes } = require('internal/crypto/util');

const isText = (value) => typeof value === 'string' || isBytes(value);

function incompatible(name, why) {
  return withCode(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
    `The selected key encoding ${name} ${why}.`);
}

function parseFormat(format, otherwise, name) {
  if (format === undefined && otherwise !== undefined) return otherwise;
  if (format === 'pem' || format === 'der' || format === 'jwk') return format;
  throw invalidArgValue(name, format);
}

// isPublic: true and false say which kinds there may be, undefined lets all pass.
function parseType(type, isRequired, keyType, isPublic, name) {
  if (type === undefined && !isRequired) return undefined;
  switch (type) {
    case 'pkcs1':
      if (keyType !== undefined && keyType !== 'rsa')
        throw incompatible('pkcs1', 'can only be used for RSA keys');
      return type;
    case 'spki':
      if (isPublic !== false) return type;
      break;
    case 'pkcs8':
      if (isPublic !== true) return type;
      break;
    case 'sec1':
      if (isPublic === true) break;
      if (keyType !== undefined && keyType !== 'ec')
        throw incompatible('sec1', 'can only be used for EC keys');
      return type;
    default:
  }
  throw invalidArgValue(name, type);
}

function checkCipher(options, format, type, name) {
  const { cipher, passphrase } = options;
  if (cipher !== undefined && cipher !== null) {
    if (typeof cipher !== 'string') throw invalidArgValue(name('cipher'), cipher);
    if (format === 'der' && (type === 'pkcs1' || type === 'sec1'))
      throw incompatible(type, 'does not support encryption');
    if (!isText(passphrase)) throw invalidArgValue(name('passphrase'), passphrase);
  } else if (passphrase !== undefined) {
    throw invalidArgValue(name('cipher'), cipher);
  }
}

// keyType: that of a key to be written; undefined when one is read.
function parseEncoding(options, keyType, isPublic, within) {
  if (options === null || typeof options !== 'object')
    throw invalidArgType('options', 'object', options);
  const isInput = keyType === undefined;
  const name = (field) => (within === undefined ? `options.${field}`
    : `options.${within}.${field}`);
  const format = parseFormat(options.format, isInput ? 'pem' : undefined, name('format'));
  const type = format === 'jwk' ? undefined
    : parseType(options.type, !isInput || format === 'der', keyType, isPublic, name('type'));
  if (isPublic === true) return { format, type };
  const { cipher, encoding } = options;
  let { passphrase } = options;
  if (format === 'jwk' && !isInput && (cipher !== undefined || passphrase !== undefined))
    throw incompatible('jwk', 'does not support encryption');
  if (!isInput) checkCipher(options, format, type, name);
  else if (passphrase !== undefined && !isText(passphrase))
    throw invalidArgValue(name('passphrase'), passphrase);
  if (passphrase !== undefined) passphrase = bytesOf(passphrase, 'key.passphrase', encoding);
  return { format, type, cipher: cipher ?? undefined, passphrase };
}

module.exports = { isText, parseEncoding };
