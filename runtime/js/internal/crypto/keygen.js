'use strict';
// New keys.

const native = require('internal/crypto/native');
const { invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateFunction, validateInt32, validateObject, validateOneOf, validateInteger,
  validateString, validateUint32 } = require('internal/errors/validators');
const { plainError } = require('internal/crypto/util');
const { parseEncoding } = require('internal/crypto/key_options');
const { PrivateKeyObject, PublicKeyObject, SecretKeyObject, exportAs,
  handleOf } = require('internal/crypto/keys');
const { promisify } = require('util');

const isGiven = (value) => value !== undefined && value !== null;

function parseOne(options, name, type, isPublic) {
  const encoding = options[name];
  if (!isGiven(encoding)) return undefined;
  if (typeof encoding !== 'object') throw invalidArgValue(`options.${name}`, encoding);
  return parseEncoding(encoding, type, isPublic, name);
}

function parseEncodings(type, options = {}) {
  return {
    publicEncoding: parseOne(options, 'publicKeyEncoding', type, true),
    privateEncoding: parseOne(options, 'privateKeyEncoding', type, false),
  };
}

function rsaOptions(options) {
  validateObject(options, 'options');
  const { modulusLength, publicExponent } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  if (isGiven(publicExponent)) validateUint32(publicExponent, 'options.publicExponent');
  return [modulusLength, publicExponent ?? 65537];
}

// The older name of an option stands in for the newer one.
function renamed(options, name, older) {
  const value = options[name];
  const old = options[older];
  if (value !== undefined) validateString(value, `options.${name}`);
  if (old === undefined) return value;
  process.emitWarning(`"options.${older}" is deprecated, use "options.${name}" instead.`,
    'DeprecationWarning', 'DEP0154');
  validateString(old, `options.${older}`);
  if (value !== undefined && value !== old) throw invalidArgValue(`options.${older}`, old);
  return value ?? old;
}

function pssOptions(options) {
  const numbers = rsaOptions(options);
  const { saltLength } = options;
  if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
  const digest = renamed(options, 'hashAlgorithm', 'hash');
  let mgf1 = renamed(options, 'mgf1HashAlgorithm', 'mgf1Hash');
  if (mgf1 !== undefined && native.hash(mgf1, '') === undefined) {
    throw plainError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', `Invalid MGF1 digest: ${mgf1}`);
  }
  // One digest for both is what the standard wants.
  if (mgf1 === undefined) mgf1 = digest;
  return [...numbers, digest, mgf1, saltLength];
}

function dsaOptions(options) {
  validateObject(options, 'options');
  const { modulusLength, divisorLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  if (isGiven(divisorLength)) validateInt32(divisorLength, 'options.divisorLength', 0);
  return [modulusLength, divisorLength ?? -1];
}

function ecOptions(options) {
  validateObject(options, 'options');
  const { namedCurve, paramEncoding } = options;
  validateString(namedCurve, 'options.namedCurve');
  if (isGiven(paramEncoding) && paramEncoding !== 'named' && paramEncoding !== 'explicit')
    throw invalidArgValue('options.paramEncoding', paramEncoding);
  return [namedCurve, paramEncoding === 'explicit'];
}

function refusePair(one, other) {
  throw withCode(TypeError, 'ERR_INCOMPATIBLE_OPTION_PAIR',
    `Option "${one}" cannot be used in combination with option "${other}"`);
}

function dhOptions(options) {
  validateObject(options, 'options');
  const { group, primeLength, prime, generator } = options;
  if (isGiven(group)) {
    if (isGiven(prime)) refusePair('group', 'prime');
    if (isGiven(primeLength)) refusePair('group', 'primeLength');
    if (isGiven(generator)) refusePair('group', 'generator');
    validateString(group, 'options.group');
    const known = native.dhGroup(group);
    if (known === undefined)
      throw plainError(Error, 'ERR_CRYPTO_UNKNOWN_DH_GROUP', 'Unknown DH group');
    return [native.dhNumber(known, 0), 2];
  }
  if (isGiven(prime)) {
    if (isGiven(primeLength)) refusePair('prime', 'primeLength');
    if (!ArrayBuffer.isView(prime) && !(prime instanceof ArrayBuffer))
      throw invalidArgType('options.prime', ['Buffer', 'TypedArray', 'DataView'], prime);
  } else if (isGiven(primeLength)) {
    validateInt32(primeLength, 'options.primeLength', 0);
  } else {
    throw withCode(TypeError, 'ERR_MISSING_OPTION',
      'At least one of the group, prime, or primeLength options is required');
  }
  if (isGiven(generator)) validateInt32(generator, 'options.generator', 0);
  return [prime ?? primeLength, generator ?? 2];
}

const KINDS = {
  'rsa': (options) => [native.generateRsa, false, ...rsaOptions(options), undefined, undefined, -1],
  'rsa-pss': (options) => [native.generateRsa, true, ...pssOptions(options)],
  'dsa': (options) => [native.generateDsa, ...dsaOptions(options)],
  'ec': (options) => [native.generateEc, ...ecOptions(options)],
  'dh': (options) => [native.generateDh, ...dhOptions(options)],
  'ed25519': () => [native.generateRaw, 'ED25519'],
  'ed448': () => [native.generateRaw, 'ED448'],
  'x25519': () => [native.generateRaw, 'X25519'],
  'x448': () => [native.generateRaw, 'X448'],
};

// The function that makes such a pair, with its arguments, and what becomes of the pair.
function plan(type, options) {
  validateString(type, 'type');
  if (options !== undefined) validateObject(options, 'options');
  if (!Object.hasOwn(KINDS, type))
    throw invalidArgValue('type', type, 'must be a supported key type');
  const encodings = parseEncodings(type, options);
  const [generate, ...args] = KINDS[type](options);
  for (const { cipher } of [encodings.privateEncoding ?? {}]) {
    if (cipher !== undefined && native.cipherInfo(cipher) === undefined)
      throw plainError(Error, 'ERR_CRYPTO_UNKNOWN_CIPHER', 'Unknown cipher');
  }
  return { generate, args, encodings };
}

function finish(handle, { publicEncoding, privateEncoding }) {
  const publicKey = new PublicKeyObject('public', native.publicOf(handle));
  const privateKey = new PrivateKeyObject('private', handle);
  return {
    publicKey: publicEncoding ? exportAs(handleOf(publicKey), publicEncoding) : publicKey,
    privateKey: privateEncoding ? exportAs(handle, privateEncoding) : privateKey,
  };
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const { generate, args, encodings } = plan(type, options);
  generate(...args, (error, handle) => {
    let made;
    try {
      if (!error) made = finish(handle, encodings);
    } catch (failure) {
      error = failure;
    }
    if (error) callback(error);
    else callback(null, made.publicKey, made.privateKey);
  });
}
Object.defineProperty(generateKeyPair, promisify.custom, {
  value: (type, options) => new Promise((resolve, reject) => {
    generateKeyPair(type, options, (error, publicKey, privateKey) => {
      if (error) reject(error);
      else resolve({ publicKey, privateKey });
    });
  }),
});

function generateKeyPairSync(type, options) {
  const { generate, args, encodings } = plan(type, options);
  return finish(generate(...args), encodings);
}

function secretLength(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  if (type === 'hmac') validateInteger(length, 'options.length', 8, 2147483647);
  else if (type === 'aes') validateOneOf(length, 'options.length', [128, 192, 256]);
  else throw invalidArgValue('type', type, 'must be a supported key type');
  return Math.floor(length / 8);
}

function generateKey(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  native.generateSecret(secretLength(type, options), (error, handle) => {
    if (error) callback(error);
    else callback(undefined, new SecretKeyObject('secret', handle));
  });
}

function generateKeySync(type, options) {
  return new SecretKeyObject('secret', native.generateSecret(secretLength(type, options)));
}

module.exports = { generateKey, generateKeyPair, generateKeyPairSync, generateKeySync };
