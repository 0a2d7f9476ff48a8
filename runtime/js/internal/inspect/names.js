'use strict';
// What util.inspect calls things: prefixes, tags, functions, and which keys are shown.

const native = binding('util');

// Taken early: a program that replaces them is still shown its values.
const { getOwnPropertyNames, getOwnPropertySymbols, keys: keysOf } = Object;
const { propertyIsEnumerable } = Object.prototype;

// The size of a Set or Map, whatever has become of its prototype.
function sizeOf(Class, value) {
  return value.size ?? Object.getOwnPropertyDescriptor(Class.prototype, 'size').get.call(value);
}

function prefix(constructor, tag, fallback, size = '') {
  const kind = constructor === null ? `[${fallback}${size}: null prototype]`
    : `${constructor}${size}`;
  const isKnown = tag === '' || tag === (constructor ?? fallback);
  return isKnown ? `${kind} ` : `${kind} [${tag}] `;
}

// Those of a module's namespace can't be told while one of its variables has no value.
function enumerableNames(value) {
  try {
    return keysOf(value);
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return getOwnPropertyNames(value);
  }
}

function ownKeys(value, showHidden) {
  const symbols = getOwnPropertySymbols(value);
  if (showHidden) return [...getOwnPropertyNames(value), ...symbols];
  const keys = enumerableNames(value);
  for (const symbol of symbols) {
    if (propertyIsEnumerable.call(value, symbol)) keys.push(symbol);
  }
  return keys;
}

function isIndex(key) {
  return typeof key === 'string' && /^(0|[1-9][0-9]{0,9})$/.test(key) && +key < 4294967295;
}

// The keys of an array that are no elements.
function extraKeys(value, showHidden) {
  const names = native.namesBesideElements(value);
  if (names === undefined) return ownKeys(value, showHidden).filter((key) => !isIndex(key));
  const shown = showHidden ? names : names.filter((key) => propertyIsEnumerable.call(value, key));
  return [...shown.filter((key) => typeof key === 'string'),
    ...shown.filter((key) => typeof key === 'symbol')];
}

function tagOf(value, constructor) {
  const tag = value[Symbol.toStringTag];
  if (typeof tag !== 'string' || tag === '') return '';
  if (tag === constructor) return '';
  if (Object.hasOwn(value, Symbol.toStringTag) &&
      !Object.getOwnPropertyDescriptor(value, Symbol.toStringTag).enumerable) return tag;
  return tag;
}

function classText(value, constructor, tag) {
  const own = Object.hasOwn(value, 'name') && value.name;
  let text = own ? `[class ${own}` : '[class (anonymous)';
  if (constructor !== 'Function' && constructor !== null) text += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) text += ` [${tag}]`;
  if (constructor === null) {
    text += ' extends [null prototype]';
  } else {
    const parent = Object.getPrototypeOf(value).name;
    if (parent) text += ` extends ${parent}`;
  }
  return `${text}]`;
}

function functionText(value, constructor, tag) {
  const source = Function.prototype.toString.call(value);
  if (source.startsWith('class') && source.endsWith('}')) {
    const inside = source.slice(5, -1);
    const open = inside.indexOf('{');
    if (open !== -1 && !inside.slice(0, open).includes('(')) {
      return classText(value, constructor, tag);
    }
  }
  const name = native.className(value);
  let type = 'Function';
  if (/Generator/.test(name)) type = `Generator${type}`;
  if (/Async/.test(name)) type = `Async${type}`;
  let text = `[${type}`;
  if (constructor === null) text += ' (null prototype)';
  text += value.name === '' ? ' (anonymous)' : `: ${value.name}`;
  text += ']';
  if (constructor !== type && constructor !== null && constructor !== 'Function') {
    text += ` ${constructor}`;
  }
  if (tag !== '' && constructor !== tag) text += ` [${tag}]`;
  return text;
}

module.exports = { sizeOf, prefix, ownKeys, isIndex, extraKeys, tagOf, functionText };
