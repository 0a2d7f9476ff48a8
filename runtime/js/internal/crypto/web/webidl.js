'use strict';
// Arguments of WebCrypto become what its interface says, with the words of Node where they can't.

const { isAnyArrayBuffer } = require('util/types');
const { withCode } = require('internal/errors/errors');
const { isCryptoKey } = require('internal/crypto/web/key');

function failure(message, { prefix, context = 'Value', code = 'ERR_INVALID_ARG_TYPE' } = {}) {
  return withCode(TypeError, code, `${prefix ? `${prefix}: ` : ''}${context} ${message}`);
}

function requiredArguments(length, required, { prefix } = {}) {
  if (length >= required) return;
  const many = required === 1 ? '1 argument' : `${required} arguments`;
  throw withCode(TypeError, 'ERR_MISSING_ARGS',
    `${prefix ? `${prefix}: ` : ''}${many} required, but only ${length} present.`);
}

function toNumber(value, options) {
  if (typeof value === 'bigint')
    throw failure('is a BigInt and cannot be converted to a number.', options);
  if (typeof value === 'symbol')
    throw failure('is a Symbol and cannot be converted to a number.', options);
  return Number(value);
}

function integer(bits) {
  const most = 2 ** bits - 1;
  return (value, options = {}) => {
    const number = toNumber(value, options);
    if (options.enforceRange) {
      const whole = Math.trunc(number);
      if (!Number.isFinite(number)) throw failure('is not a finite number.', options);
      if (whole < 0 || whole > most) {
        throw failure(`is outside the expected range of 0 to ${most}.`,
          { ...options, code: 'ERR_OUT_OF_RANGE' });
      }
      return whole + 0;
    }
    if (!Number.isFinite(number)) return 0;
    const rest = Math.trunc(number) % (most + 1);
    return rest < 0 ? rest + most + 1 : rest + 0;
  };
}

const bufferOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype),
  'buffer').get;
const viewedBy = Object.getOwnPropertyDescriptor(DataView.prototype, 'buffer').get;

function checkShared(value, options) {
  const buffer = Reflect.apply(value instanceof DataView ? viewedBy : bufferOf, value, []);
  if (buffer instanceof SharedArrayBuffer)
    throw failure('is a view on a SharedArrayBuffer, which is not allowed.', options);
}

const converters = {
  boolean: (value) => Boolean(value),
  octet: integer(8),
  'unsigned short': integer(16),
  'unsigned long': integer(32),

  DOMString(value, options) {
    if (typeof value === 'symbol')
      throw failure('is a Symbol and cannot be converted to a string.', options);
    return String(value);
  },

  object(value, options) {
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') return value;
    throw failure('is not an object.', options);
  },

  Uint8Array(value, options) {
    if (!ArrayBuffer.isView(value) || !require('util/types').isUint8Array(value))
      throw failure('is not an Uint8Array object.', options);
    checkShared(value, options);
    return value;
  },

  BufferSource(value, options) {
    if (isAnyArrayBuffer(value) && !(value instanceof SharedArrayBuffer)) return value;
    if (!ArrayBuffer.isView(value)) {
      throw failure('is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.', options);
    }
    checkShared(value, options);
    return value;
  },

  CryptoKey(value, options) {
    if (isCryptoKey(value)) return value;
    throw failure('is not of type CryptoKey.', options);
  },

  AlgorithmIdentifier(value, options) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    return isObject ? converters.object(value, options) : converters.DOMString(value, options);
  },
};
converters.HashAlgorithmIdentifier = converters.AlgorithmIdentifier;
converters.BigInteger = converters.Uint8Array;
converters.NamedCurve = converters.DOMString;

function choice(name, values) {
  converters[name] = (value, options) => {
    const text = String(value);
    if (values.includes(text)) return text;
    throw failure(`value '${text}' is not a valid enum value of type ${name}.`,
      { ...options, code: 'ERR_INVALID_ARG_VALUE' });
  };
}
choice('KeyFormat', ['raw', 'pkcs8', 'spki', 'jwk']);
choice('KeyUsage', ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey',
  'unwrapKey']);

function sequence(name, convert) {
  converters[`sequence<${name}>`] = (value, options = {}) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null ||
        typeof value[Symbol.iterator] !== 'function')
      throw failure('can not be converted to sequence.', options);
    return Array.from(value, (item, i) => convert(item,
      { ...options, context: `${options.context ?? 'Value'}, index ${i}` }));
  };
}
sequence('KeyUsage', converters.KeyUsage);
sequence('DOMString', converters.DOMString);

// fields: {name: [converter's name, is it required, enforceRange]}
function dictionary(name, fields) {
  converters[name] = (value, options = {}) => {
    const isEmpty = value === undefined || value === null;
    if (!isEmpty && typeof value !== 'object' && typeof value !== 'function')
      throw failure('can not be converted to a dictionary.', options);
    const made = {};
    for (const field of Object.keys(fields)) {
      const [type, isRequired, isExact] = fields[field];
      const given = isEmpty ? undefined : value[field];
      if (given !== undefined) {
        made[field] = converters[type](given, { ...options, enforceRange: isExact,
          context: `'${field}' of '${name}' (${options.context ?? 'Value'})` });
      } else if (isRequired) {
        throw failure(`can not be converted to '${name}' because '${field}' is required in '${
          name}'.`, { ...options, code: 'ERR_MISSING_OPTION' });
      }
    }
    return made;
  };
}

const NAME = { name: ['DOMString', true] };
const HASH = { ...NAME, hash: ['HashAlgorithmIdentifier', true] };
dictionary('Algorithm', NAME);
dictionary('RsaKeyGenParams', { ...NAME, modulusLength: ['unsigned long', true, true],
  publicExponent: ['BigInteger', true] });
dictionary('RsaHashedKeyGenParams', { ...NAME, modulusLength: ['unsigned long', true, true],
  publicExponent: ['BigInteger', true], hash: ['HashAlgorithmIdentifier', true] });
dictionary('RsaHashedImportParams', HASH);
dictionary('RsaPssParams', { ...NAME, saltLength: ['unsigned long', true, true] });
dictionary('RsaOaepParams', { ...NAME, label: ['BufferSource', false] });
dictionary('EcKeyImportParams', { ...NAME, namedCurve: ['NamedCurve', true] });
dictionary('EcKeyGenParams', { ...NAME, namedCurve: ['NamedCurve', true] });
dictionary('EcdsaParams', HASH);
dictionary('HmacKeyGenParams', { ...HASH, length: ['unsigned long', false, true] });
dictionary('HmacImportParams', { ...HASH, length: ['unsigned long', false, true] });
dictionary('AesKeyGenParams', { ...NAME, length: ['unsigned short', true, true] });
dictionary('AesDerivedKeyParams', { ...NAME, length: ['unsigned short', true, true] });
dictionary('HkdfParams', { ...HASH, salt: ['BufferSource', true], info: ['BufferSource', true] });
dictionary('Pbkdf2Params', { ...HASH, iterations: ['unsigned long', true, true],
  salt: ['BufferSource', true] });
dictionary('AesCbcParams', { ...NAME, iv: ['BufferSource', true] });
dictionary('AesGcmParams', { ...NAME, iv: ['BufferSource', true],
  tagLength: ['octet', false, true], additionalData: ['BufferSource', false] });
dictionary('AesCtrParams', { ...NAME, counter: ['BufferSource', true],
  length: ['octet', true, true] });
dictionary('EcdhKeyDeriveParams', { ...NAME, public: ['CryptoKey', true] });
dictionary('Ed448Params', { ...NAME, context: ['BufferSource', false] });
dictionary('RsaOtherPrimesInfo', { r: ['DOMString'], d: ['DOMString'], t: ['DOMString'] });
sequence('RsaOtherPrimesInfo', converters.RsaOtherPrimesInfo);

const JWK = { kty: ['DOMString'], use: ['DOMString'], key_ops: ['sequence<DOMString>'],
  alg: ['DOMString'], ext: ['boolean'] };
for (const name of ['crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi'])
  JWK[name] = ['DOMString'];
dictionary('JsonWebKey', { ...JWK, oth: ['sequence<RsaOtherPrimesInfo>'], k: ['DOMString'] });

module.exports = { converters, requiredArguments };
