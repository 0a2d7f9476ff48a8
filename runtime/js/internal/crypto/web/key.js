'use strict';
// CryptoKey: a key with what it may be used for.

const { withCode } = require('internal/errors/errors');

const OWN = Symbol('own');

function illegal() {
  return withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
}

function invalidThis(name) {
  return withCode(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`);
}

class CryptoKey {
  #key;
  #algorithm;
  #usages;
  #extractable;
  // What a program sees, and may change without changing what the key may be used for.
  #shownAlgorithm;
  #shownUsages;

  constructor(token, keyObject, algorithm, usages, extractable) {
    if (token !== OWN) throw illegal();
    this.#key = keyObject;
    this.#algorithm = algorithm;
    this.#usages = usages;
    this.#extractable = extractable;
  }

  get type() { return CryptoKey.#checked(this).#key.type; }

  get extractable() { return CryptoKey.#checked(this).#extractable; }

  get algorithm() {
    const key = CryptoKey.#checked(this);
    return key.#shownAlgorithm ??= { ...key.#algorithm,
      ...key.#algorithm.hash && { hash: { ...key.#algorithm.hash } } };
  }

  get usages() {
    const key = CryptoKey.#checked(this);
    return key.#shownUsages ??= [...key.#usages];
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/inspect/inspect');
    return `CryptoKey ${inspect({ type: this.type, extractable: this.extractable,
      algorithm: this.algorithm, usages: this.usages },
    { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  }

  static #checked(key) {
    if (!has(key)) throw invalidThis('CryptoKey');
    return key;
  }

  // Those two are taken away again below.
  static has(value) { return typeof value === 'object' && value !== null && #key in value; }

  static partsOf(key) {
    return { key: key.#key, algorithm: key.#algorithm, usages: key.#usages,
      extractable: key.#extractable, type: key.#key.type };
  }
}
const { has, partsOf } = CryptoKey;
delete CryptoKey.has;
delete CryptoKey.partsOf;
for (const name of ['type', 'extractable', 'algorithm', 'usages'])
  Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
Object.defineProperty(CryptoKey.prototype, Symbol.toStringTag,
  { value: 'CryptoKey', configurable: true });

const makeKey = (...args) => new CryptoKey(OWN, ...args);

require('internal/crypto/kinds').register('CryptoKey', {
  is: has,
  pack(value) {
    const { key, algorithm, usages, extractable } = partsOf(value);
    return [require('internal/crypto/kinds').pack(key)[1], { ...algorithm }, [...usages],
      extractable];
  },
  revive: ([key, algorithm, usages, extractable]) => makeKey(
    require('internal/crypto/kinds').revive('KeyObject', key), algorithm, usages, extractable),
});

module.exports = { CryptoKey, OWN, illegal, invalidThis, isCryptoKey: has, makeKey, partsOf,
  keyObjectOf: (key) => partsOf(key).key };
