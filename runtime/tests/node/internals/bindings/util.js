'use strict';
// Node's binding util.

const native = binding('util');

// Symbols whose properties no list of an object's own shows: what is kept under them is kept beside
// the objects.
function hidden(name) {
  const symbol = Symbol(name);
  const values = new WeakMap();
  Object.defineProperty(Object.prototype, symbol, {
    configurable: true,
    enumerable: false,
    get() { return values.get(this); },
    set(value) { values.set(this, value); },
  });
  return symbol;
}

const privateSymbols = {};
for (const name of ['arrow_message', 'decorated']) {
  privateSymbols[`${name}_private_symbol`] = hidden(`node:${name}`);
}

function getProxyDetails(value, wantsBoth = true) {
  const parts = native.proxyParts(value);
  return parts === undefined || wantsBoth ? parts : parts[0];
}

module.exports = { ...native, privateSymbols, getProxyDetails };
