'use strict';
// printf-like formatting of console.log and util.format.

const native = binding('util');
const { inspect } = require('internal/inspect/inspect');
const { numberText } = require('internal/inspect/text');

function hasOwnToString(value) {
  // A proxy's functions are not asked; what it stands for is.
  for (let parts; (parts = native.proxyParts(value)) !== undefined;) {
    if (parts[0] === null) return false;
    [value] = parts;
  }
  if (value[Symbol.toPrimitive] !== undefined && native.className(value) !== 'Date') return true;
  if (typeof value.toString !== 'function') return false;
  if (Object.hasOwn(value, 'toString')) return true;
  let pointer = value;
  do {
    pointer = Object.getPrototypeOf(pointer);
    if (pointer === null) return false;
  } while (!Object.hasOwn(pointer, 'toString'));
  const descriptor = Object.getOwnPropertyDescriptor(pointer, 'constructor');
  const builtIn = [Object, Array, Function, Map, Set, Promise, Error, RegExp, Date, TypeError,
    RangeError];
  return descriptor !== undefined && typeof descriptor.value === 'function' &&
    (!builtIn.includes(descriptor.value) || descriptor.value === Error ||
     descriptor.value === RegExp);
}

function bigintText(value, options) {
  return inspect(value, { numericSeparator: hasSeparators(options) });
}

function asString(options, value) {
  if (typeof value === 'bigint') return bigintText(value, options);
  if (typeof value === 'number') return numberText(value, hasSeparators(options));
  if (typeof value !== 'object' || value === null) return String(value);
  if (hasOwnToString(value)) return String(value);
  return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
}

function asJson(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error?.name === 'TypeError' &&
        `${error.message}`.split('\n', 1)[0] === 'Converting circular structure to JSON') {
      return '[Circular]';
    }
    throw error;
  }
}

function hasSeparators(options) {
  return Boolean((options?.numericSeparator ?? inspect.defaultOptions.numericSeparator));
}

function asInteger(value, convert, options) {
  if (typeof value === 'bigint') return bigintText(value, options);
  if (typeof value === 'symbol') return 'NaN';
  return numberText(convert(value), hasSeparators(options));
}

function replacement(options, letter, value) {
  switch (letter) {
    case 's': return asString(options, value);
    case 'j': return asJson(value) ?? 'undefined';
    case 'd':
      return typeof value === 'object' ? numberText(Number(value), hasSeparators(options))
        : asInteger(value, Number, options);
    case 'i': return typeof value === 'object' ? 'NaN' : asInteger(value, parseInt, options);
    case 'f':
      return typeof value === 'symbol' ? 'NaN'
        : numberText(parseFloat(value), hasSeparators(options));
    case 'O': return inspect(value, options);
    case 'o':
      return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    case 'c': return '';
    default: return undefined;
  }
}

function formatWithOptions(options, ...args) {
  if (typeof options !== 'object' || options === null)
    throw require('internal/errors/errors').invalidArgType('inspectOptions', 'Object', options);
  return formatAll(options, args);
}

function formatAll(options, args) {
  const first = args[0];
  if (args.length === 1) {
    return typeof first === 'string' ? first : inspect(first, options);
  }
  if (args.length === 0) return '';
  let out = '';
  let used = 0;
  if (typeof first === 'string') {
    used = 1;
    let last = 0;
    for (let i = 0; i < first.length - 1; i++) {
      if (first.charCodeAt(i) !== 37) continue;
      const letter = first[i + 1];
      if (letter === '%') {
        out += `${first.slice(last, i)}%`;
        last = i + 2;
        i++;
      } else if (used < args.length) {
        const text = replacement(options, letter, args[used]);
        if (text === undefined) continue;
        out += first.slice(last, i) + text;
        used++;
        last = i + 2;
        i++;
      }
    }
    out += first.slice(last);
  }
  for (; used < args.length; used++) {
    const value = args[used];
    if (used > 0) out += ' ';
    out += typeof value === 'string' ? value : inspect(value, options);
  }
  return out;
}

function format(...args) {
  return formatAll(undefined, args);
}

module.exports = { format, formatWithOptions };
