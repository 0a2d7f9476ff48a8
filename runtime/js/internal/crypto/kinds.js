'use strict';
// Objects of modules that messages carry and util.types knows. A kind is here once its module is
// loaded; before that there is no such object.

const kinds = new Map();
const MODULES = { KeyObject: 'internal/crypto/keys', CryptoKey: 'internal/crypto/web/key',
  X509Certificate: 'internal/crypto/x509', BlockList: 'internal/net/block_list',
  'WebAssembly.Module': 'internal/wasm/wasm', 'WebAssembly.Memory': 'internal/wasm/wasm' };

// is(value), pack(value): what the message carries of it, revive(packed)
function register(name, kind) {
  kinds.set(name, kind);
}

const is = (name, value) => kinds.get(name)?.is(value) ?? false;

// [name, what the message carries]; undefined if it is none of them.
function pack(value) {
  for (const [name, kind] of kinds)
    if (kind.is(value)) return [name, kind.pack(value)];
  return undefined;
}

// The module may not be loaded yet where the message arrives.
function revive(name, packed) {
  if (!kinds.has(name) && Object.hasOwn(MODULES, name)) require(MODULES[name]);
  return kinds.get(name).revive(packed);
}

module.exports = { is, pack, register, revive };
