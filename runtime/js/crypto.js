'use strict';
// Random bytes come from the system; all else is in a plug-in on OpenSSL, which is loaded when a
// program first touches something that needs it.
const random = require('internal/crypto/random');

module.exports = { ...random };
delete module.exports.getRandomValues;

// Where the names come from, in the order in which they are listed.
const PARTS = {
  primes: ['checkPrime', 'checkPrimeSync', 'generatePrime', 'generatePrimeSync'],
  cipher: ['createCipheriv', 'createDecipheriv', 'getCiphers', 'getCipherInfo', 'privateDecrypt',
    'privateEncrypt', 'publicDecrypt', 'publicEncrypt', 'Cipheriv', 'Decipheriv',
    'Cipher', 'Decipher', 'createCipher', 'createDecipher'],
  dh: ['createDiffieHellman', 'createDiffieHellmanGroup', 'createECDH', 'diffieHellman',
    'getCurves', 'getDiffieHellman', 'DiffieHellman', 'DiffieHellmanGroup', 'ECDH'],
  hash: ['createHash', 'createHmac', 'getHashes', 'hash', 'Hash', 'Hmac'],
  keys: ['createPrivateKey', 'createPublicKey', 'createSecretKey', 'KeyObject'],
  sign: ['createSign', 'createVerify', 'sign', 'verify', 'Sign', 'Verify'],
  kdf: ['hkdf', 'hkdfSync', 'pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync'],
  keygen: ['generateKeyPair', 'generateKeyPairSync', 'generateKey', 'generateKeySync'],
  settings: ['setEngine', 'timingSafeEqual', 'getFips', 'setFips', 'secureHeapUsed'],
  certificate: ['Certificate'],
  x509: ['X509Certificate'],
};

function define(name, get, isHidden) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: !isHidden,
    get,
    set(value) {
      Object.defineProperty(module.exports, name,
        { value, writable: true, configurable: true, enumerable: !isHidden });
    },
  });
}

for (const part of Object.keys(PARTS)) {
  for (const name of PARTS[part]) {
    define(name, () => {
      const value = require(`internal/crypto/${part}`)[name];
      module.exports[name] = value;
      return value;
    }, name === 'createCipher' || name === 'createDecipher');
  }
}

define('constants', () => require('internal/crypto/constants'));
define('webcrypto', () => require('internal/crypto/web/crypto').crypto);
define('subtle', () => require('internal/crypto/web/crypto').crypto.subtle);
define('getRandomValues', () => (...args) => module.exports.webcrypto.getRandomValues(...args));
for (const name of ['pseudoRandomBytes', 'prng', 'rng']) {
  define(name, () => {
    const isPending = require('internal/boot/options').isOn('pending-deprecation');
    const value = !isPending ? random.randomBytes
      : require('util').deprecate(random.randomBytes, `crypto.${name} is deprecated.`, 'DEP0115');
    module.exports[name] = value;
    return value;
  }, true);
}
Object.defineProperty(module.exports, 'fips', {
  configurable: true, get: () => module.exports.getFips(),
  set(value) { module.exports.setFips(value); },
});
