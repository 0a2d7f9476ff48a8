'use strict';
// What all services of Intl have in common: constructors, receivers, options, the choice of a
// locale.

const native = binding('intl');

// A service's constructor. `start(self's state, locales, options, new.target)` fills the state.
// `callable`: it may be called without new, as the oldest three may.
function service(name, { callable = false, length = 0, start, methods, getters = {} }) {
  const states = new WeakMap();
  const construct = {
    [name]: function (locales, options) {
      if (new.target === undefined) {
        if (callable) return new construct(locales, options);
        throw new TypeError(`Constructor Intl.${name} requires 'new'`);
      }
      const state = { __proto__: null, service: `Intl.${name}` };
      start(state, locales, options);
      states.set(this, state);
    },
  }[name];
  Object.defineProperty(construct, 'length', { value: length, configurable: true });
  Object.defineProperty(construct, 'prototype', { writable: false });
  const stateOf = (self, method) => {
    const state = states.get(self);
    if (state === undefined) {
      throw new TypeError(
        `Method Intl.${name}.prototype.${method} called on incompatible receiver ${shown(self)}`,
      );
    }
    return state;
  };
  for (const [key, work] of Object.entries(methods)) {
    hidden(
      construct.prototype,
      key,
      named(key, work.length - 1, function (...args) {
        return work(stateOf(this, key), ...args);
      }),
    );
  }
  for (const [key, work] of Object.entries(getters)) {
    const get = named(`get ${key}`, 0, function () {
      return work(stateOf(this, key), this);
    });
    Object.defineProperty(construct.prototype, key, { get, configurable: true });
  }
  hidden(
    construct,
    'supportedLocalesOf',
    named('supportedLocalesOf', 1, (locales, options) =>
      supportedLocales(name, locales, options),
    ),
  );
  tag(construct.prototype, `Intl.${name}`);
  return construct;
}

function hidden(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, configurable: true });
}

function tag(object, text) {
  Object.defineProperty(object, Symbol.toStringTag, { value: text, configurable: true });
}

// A function without a prototype, as those of the language are.
function named(name, length, work) {
  const method = {
    method(...args) {
      return work.apply(this, args);
    },
  }.method;
  Object.defineProperty(method, 'name', { value: name, configurable: true });
  Object.defineProperty(method, 'length', { value: length, configurable: true });
  return method;
}

function shown(value) {
  try {
    return typeof value === 'object' && value !== null
      ? `#<${value.constructor.name}>`
      : String(value);
  } catch {
    return '[object Object]';
  }
}

// Options

function toOptions(options) {
  if (options === undefined) return { __proto__: null };
  if (options === null || (typeof options !== 'object' && typeof options !== 'function')) {
    throw new TypeError('Incorrect options argument: must be an object');
  }
  return options;
}

function coerceOptions(options) {
  if (options === undefined) return { __proto__: null };
  if (options === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(options);
}

function outOfRange(state, name, value) {
  return new RangeError(
    `Value ${value} out of range for ${state.service} options property ${name}`,
  );
}

function textOption(state, options, name, values, fallback) {
  const given = options[name];
  if (given === undefined) return fallback;
  const value = `${given}`;
  if (values !== undefined && !values.includes(value)) throw outOfRange(state, name, value);
  return value;
}

function flagOption(options, name, fallback) {
  const given = options[name];
  return given === undefined ? fallback : Boolean(given);
}

function numberOption(state, options, name, lowest, highest, fallback) {
  return checkNumber(name, options[name], lowest, highest, fallback);
}

function checkNumber(name, given, lowest, highest, fallback) {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!(value >= lowest && value <= highest)) {
    throw new RangeError(`${name} value is out of range.`);
  }
  return Math.floor(value);
}

// A value of a Unicode extension: parts of three to eight letters and digits.
const TYPE = /^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i;
function typeOption(state, options, name) {
  const value = textOption(state, options, name);
  if (value === undefined) return undefined;
  if (!TYPE.test(value)) {
    throw new RangeError(`Invalid ${name} : ${value}`);
  }
  return value.toLowerCase();
}

// Locales

function canonicalTag(given) {
  const text = `${given}`;
  const found =
    /^[a-z0-9-]+$/i.test(text) && !/^x-|^[a-z]{4}(-|$)|^i-/i.test(text) && !hasDoubles(text)
      ? native.canonicalLocale(text)
      : null;
  if (found === null) throw new RangeError(`Incorrect locale information provided`);
  return found;
}

// A variant or a singleton that is there twice makes a tag invalid; ICU does not mind.
function hasDoubles(text) {
  const parts = text
    .toLowerCase()
    .split(/-x(?:-|$)/)[0]
    .split('-');
  const seen = new Set();
  let extension = false;
  for (const [i, part] of parts.entries()) {
    if (part === '') return true;
    const isSingleton = part.length === 1;
    extension ||= isSingleton;
    const isVariant = !extension && i > 0 && (part.length > 4 || /^\d.{3}$/.test(part));
    if (!isSingleton && !isVariant) continue;
    if (seen.has(part)) return true;
    seen.add(part);
  }
  return false;
}

const LOCALE = Symbol('the tag of a Locale');

function localeList(given) {
  if (given === undefined) return [];
  if (given === null) throw new TypeError('Cannot convert undefined or null to object');
  const isOne =
    typeof given === 'string' || (typeof given === 'object' && given[LOCALE] !== undefined);
  const list = isOne ? [given] : Object(given);
  const found = [];
  const length = Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), 2 ** 32);
  for (let i = 0; i < length; i++) {
    if (!(i in list)) continue;
    const one = list[i];
    if (typeof one !== 'string' && (typeof one !== 'object' || one === null)) {
      throw new TypeError('Language ID should be string or object.');
    }
    const name = one[LOCALE] ?? canonicalTag(one);
    if (!found.includes(name)) found.push(name);
  }
  return found;
}

const available = new Map();
function availableFor(name) {
  const isCollation = name === 'Collator';
  if (!available.has(isCollation)) {
    const set = new Set();
    for (const locale of native.availableLocales(isCollation)) {
      if (locale === null) continue;
      set.add(locale);
      // Language and region are enough where the script goes without saying.
      const [language, script, region] = locale.split('-');
      if (region !== undefined && script.length === 4) set.add(`${language}-${region}`);
    }
    available.set(isCollation, set);
  }
  return available.get(isCollation);
}

const withoutExtension = (name) =>
  name.replace(/-u(?:-[a-z0-9]{2,8})+/i, '').replace(/-t-.*$/i, '');

function bestAvailable(name, set) {
  let candidate = withoutExtension(name).replace(/-x-.*$/i, '');
  for (;;) {
    if (set.has(candidate)) return candidate;
    let cut = candidate.lastIndexOf('-');
    if (cut === -1) return undefined;
    if (cut >= 2 && candidate[cut - 2] === '-') cut -= 2;
    candidate = candidate.slice(0, cut);
  }
}

// "-u-ca-buddhist-nu-thai" → { ca: 'buddhist', nu: 'thai' }
function keywords(name) {
  const found = { __proto__: null };
  const part = /-u((?:-[a-z0-9]{2,8})+)/i.exec(name)?.[1];
  if (part === undefined) return found;
  let key;
  for (const word of part.slice(1).split('-')) {
    if (word.length === 2) {
      key = word;
      found[key] ??= '';
    } else if (key !== undefined) {
      found[key] += found[key] === '' ? word : `-${word}`;
    }
  }
  return found;
}

let fallback;
function defaultLocale() {
  if (fallback === undefined) {
    const found = native.defaultLocale();
    const plain =
      found === null || /^(en-US-u-va-posix|und|c|root)$/i.test(found)
        ? 'en-US'
        : withoutExtension(found);
    fallback = bestAvailable(plain, availableFor('')) === undefined ? 'en-US' : plain;
  }
  return fallback;
}

// The locale that serves a request, and for each of `keys` its value: the option's if it is one of
// `allowed[key](locale)`, else the extension's, else undefined.
function resolveLocale(name, requested, keys, options, allowed) {
  const set = availableFor(name);
  let locale;
  let given = { __proto__: null };
  for (const one of requested) {
    locale = bestAvailable(one, set);
    if (locale !== undefined) {
      given = keywords(one);
      break;
    }
  }
  locale ??= defaultLocale();
  const values = { __proto__: null };
  const kept = [];
  for (const key of keys) {
    const fits = (value) => value !== undefined && allowed[key](locale, value);
    let ofTag = given[key];
    if (ofTag === '') ofTag = 'true';
    if (fits(ofTag)) {
      values[key] = ofTag;
      kept.push(ofTag === 'true' ? key : `${key}-${ofTag}`);
    }
    if (fits(options[key]) && options[key] !== values[key]) {
      values[key] = options[key];
      kept.splice(
        kept.findIndex((word) => word.startsWith(key)),
        kept.some((word) => word.startsWith(key)) ? 1 : 0,
      );
    }
  }
  const full = kept.length > 0 ? `${locale}-u-${kept.sort().join('-')}` : locale;
  return { locale: full, base: locale, values };
}

function supportedLocales(name, locales, given) {
  const requested = localeList(locales);
  if (given !== undefined) {
    textOption({ service: `Intl.${name}` }, coerceOptions(given), 'localeMatcher', [
      'lookup',
      'best fit',
    ]);
  }
  return requested.filter((one) => bestAvailable(one, availableFor(name)) !== undefined);
}

// The locale's name for ICU, with the values of extensions that were decided.
function withKeywords(base, values) {
  const words = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}-${value}`)
    .sort();
  return words.length > 0 ? `${base}-u-${words.join('-')}` : base;
}

let numberingSystems;
function isNumberingSystem(name) {
  numberingSystems ??= new Set(native.values('numberingSystem', undefined));
  return numberingSystems.has(name) && !/^(traditio|finance|native)$/.test(name);
}

// What was formatted, as the text and its fields: [{ field, category, begin, end }].
function fieldsOf(formatted) {
  const fields = [];
  for (let i = 1; i < formatted.length; i += 4) {
    fields.push({
      category: formatted[i],
      field: formatted[i + 1],
      begin: formatted[i + 2],
      end: formatted[i + 3],
    });
  }
  return fields;
}

// Cuts the text where fields begin and end; what is in several belongs to the shortest.
function partsOf(text, fields, describe) {
  const owners = new Array(text.length).fill(undefined);
  for (const one of [...fields].sort((a, b) => b.end - b.begin - (a.end - a.begin))) {
    owners.fill(one, one.begin, one.end);
  }
  const parts = [];
  for (let at = 0; at < text.length;) {
    let end = at + 1;
    while (end < text.length && owners[end] === owners[at]) end++;
    const value = text.slice(at, end);
    parts.push(describe(owners[at], value, at));
    at = end;
  }
  return parts;
}

// Which end of a range the part at this place belongs to.
function sourceAt(spans, at) {
  const span = spans.find((one) => at >= one.begin && at < one.end);
  return span === undefined ? 'shared' : span.field === 0 ? 'startRange' : 'endRange';
}

module.exports = {
  sourceAt,
  native,
  service,
  hidden,
  tag,
  named,
  toOptions,
  coerceOptions,
  textOption,
  flagOption,
  numberOption,
  checkNumber,
  typeOption,
  outOfRange,
  canonicalTag,
  localeList,
  keywords,
  defaultLocale,
  resolveLocale,
  withKeywords,
  withoutExtension,
  isNumberingSystem,
  fieldsOf,
  partsOf,
  LOCALE,
};
