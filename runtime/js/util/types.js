'use strict';
const { className, isError } = binding('util');

const KINDS = ['Uint8Clamped', 'Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32', 'BigInt64',
  'BigUint64', 'Float16', 'Float32', 'Float64'];
const TYPED = new RegExp(`^(${KINDS.join('|')})Array$`);
const is = (...names) => (value) => names.includes(className(value));

const types = {
  isExternal: is('External'),
  isDate: is('Date'),
  isArgumentsObject: is('Arguments', 'Mapped Arguments'),
  isBigIntObject: is('BigInt'),
  isBooleanObject: is('Boolean'),
  isNumberObject: is('Number'),
  isStringObject: is('String'),
  isSymbolObject: is('Symbol'),
  isBoxedPrimitive: is('BigInt', 'Boolean', 'Number', 'String', 'Symbol'),
  isNativeError: (value) => isError(value),
  isRegExp: is('RegExp'),
  isAsyncFunction: (value) => typeof value === 'function' &&
    /^Async/.test(Object.getPrototypeOf(value)?.[Symbol.toStringTag] ?? ''),
  isGeneratorFunction: (value) => typeof value === 'function' &&
    /GeneratorFunction$/.test(Object.getPrototypeOf(value)?.[Symbol.toStringTag] ?? ''),
  isGeneratorObject: is('Generator', 'AsyncGenerator'),
  isPromise: is('Promise'),
  isMap: is('Map'),
  isSet: is('Set'),
  isMapIterator: is('Map Iterator'),
  isSetIterator: is('Set Iterator'),
  isWeakMap: is('WeakMap'),
  isWeakSet: is('WeakSet'),
  isArrayBuffer: is('ArrayBuffer'),
  isSharedArrayBuffer: is('SharedArrayBuffer'),
  isAnyArrayBuffer: is('ArrayBuffer', 'SharedArrayBuffer'),
  isDataView: is('DataView'),
  isProxy: is('Proxy'),
  // The tag of a namespace is its own, and can't be changed.
  isModuleNamespaceObject(value) {
    if (value === null || typeof value !== 'object' || className(value) === 'Proxy') return false;
    const tag = Object.getOwnPropertyDescriptor(value, Symbol.toStringTag);
    return tag !== undefined && tag.value === 'Module' && !tag.configurable && !tag.writable &&
      Object.getPrototypeOf(value) === null && !Object.isExtensible(value);
  },
  isArrayBufferView: ArrayBuffer.isView,
  isTypedArray: (value) => TYPED.test(className(value) ?? ''),
  isCryptoKey: (value) => require('internal/crypto/kinds').is('CryptoKey', value),
  isKeyObject: (value) => require('internal/crypto/kinds').is('KeyObject', value),
};
for (const name of ['Uint8', 'Uint8Clamped', 'Int8', 'Int16', 'Uint16', 'Int32', 'Uint32',
  'Float32', 'Float64', 'BigInt64', 'BigUint64']) {
  types[`is${name}Array`] = is(`${name}Array`);
}
module.exports = types;
