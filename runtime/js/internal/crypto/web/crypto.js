'use strict';
// Crypto and SubtleCrypto. What needs OpenSSL is loaded by the first call that needs it.

const { illegal, invalidThis, OWN } = require('internal/crypto/web/key');
const random = require('internal/crypto/random');

// The functions of SubtleCrypto with the number of arguments that they must have.
const METHODS = { encrypt: 3, decrypt: 3, sign: 3, verify: 4, digest: 2, generateKey: 3,
  deriveKey: 5, deriveBits: 2, importKey: 5, exportKey: 2, wrapKey: 4, unwrapKey: 7 };

class SubtleCrypto {
  #isOne = true;

  constructor(token) {
    if (token !== OWN) throw illegal();
  }

  static has(value) { return typeof value === 'object' && value !== null && #isOne in value; }
}
const { has: isSubtle } = SubtleCrypto;
delete SubtleCrypto.has;

function define(name, count) {
  const method = { async [name](...args) {
    if (!isSubtle(this)) throw invalidThis('SubtleCrypto');
    const { requiredArguments } = require('internal/crypto/web/webidl');
    const prefix = `Failed to execute '${name}' on 'SubtleCrypto'`;
    requiredArguments(args.length, count, { prefix });
    return require('internal/crypto/web/subtle')[name](prefix, ...args);
  } }[name];
  Object.defineProperty(method, 'length', { value: count });
  Object.defineProperty(SubtleCrypto.prototype, name,
    { value: method, writable: true, configurable: true, enumerable: true });
}
for (const name of Object.keys(METHODS)) define(name, METHODS[name]);
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag,
  { value: 'SubtleCrypto', configurable: true });

const subtle = new SubtleCrypto(OWN);

class Crypto {
  #isOne = true;

  constructor(token) {
    if (token !== OWN) throw illegal();
  }

  get subtle() {
    Crypto.#check(this);
    return subtle;
  }

  getRandomValues(array) {
    Crypto.#check(this);
    return Reflect.apply(random.getRandomValues, this, arguments);
  }

  randomUUID(options) {
    Crypto.#check(this);
    return random.randomUUID(options);
  }

  static #check(value) {
    if (typeof value !== 'object' || value === null || !(#isOne in value))
      throw invalidThis('Crypto');
  }
}
for (const name of ['subtle', 'getRandomValues', 'randomUUID'])
  Object.defineProperty(Crypto.prototype, name, { enumerable: true });
Object.defineProperty(Crypto.prototype, Symbol.toStringTag,
  { value: 'Crypto', configurable: true });

module.exports = { Crypto, SubtleCrypto, crypto: new Crypto(OWN) };
