'use strict';
// What Node does with regular expressions whatever a program has put into their prototype: the
// functions as they were, on copies that find nothing of the prototype.

const { prototype } = RegExp;
const original = Object.getOwnPropertyDescriptors(prototype);

function ofFlags(regexp) {
  return Reflect.apply(original.flags.get, new Proxy(regexp, {
    get: (target, key) => {
      const { get } = original[key] ?? {};
      return get && Reflect.apply(get, target, []);
    },
  }), []);
}

// All that the engine's functions look for is its own.
function hardenRegExp(regexp) {
  if (Object.hasOwn(regexp, 'exec')) return regexp;
  const flags = ofFlags(regexp);
  const fixed = { exec: original.exec.value, flags,
    [Symbol.replace]: original[Symbol.replace].value,
    [Symbol.search]: original[Symbol.search].value, [Symbol.split]: original[Symbol.split].value,
    constructor: Hardened };
  for (const key of Reflect.ownKeys(original)) {
    const { get } = original[key];
    if (get && key !== 'flags') fixed[key] = Reflect.apply(get, regexp, []);
  }
  for (const key of Reflect.ownKeys(fixed)) {
    Object.defineProperty(regexp, key,
      { value: fixed[key], configurable: true, writable: true, enumerable: true });
  }
  return regexp;
}

// What split() makes its copy with.
function Hardened() {}
Object.defineProperty(Hardened, Symbol.species, {
  value: function Copy(regexp, flags) {
    return hardenRegExp(new RegExp(Reflect.apply(original.source.get, regexp, []), flags));
  },
});

const copyOf = (regexp) =>
  hardenRegExp(new RegExp(Reflect.apply(original.source.get, regexp, []), ofFlags(regexp)));

module.exports = {
  hardenRegExp,
  SafeStringPrototypeSearch(text, regexp) {
    regexp.lastIndex = 0;
    return Reflect.apply(original.exec.value, regexp, [text])?.index ?? -1;
  },
  SideEffectFreeRegExpPrototypeExec: (regexp, text) =>
    Reflect.apply(original.exec.value, regexp, [text]),
  SideEffectFreeRegExpPrototypeSymbolReplace: (regexp, text, by) =>
    Reflect.apply(original[Symbol.replace].value, copyOf(regexp), [text, by]),
  SideEffectFreeRegExpPrototypeSymbolSplit: (regexp, text, limit) =>
    Reflect.apply(original[Symbol.split].value, copyOf(regexp), [text, limit]),
};
