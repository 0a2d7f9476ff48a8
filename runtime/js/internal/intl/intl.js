'use strict';
// The part of Intl that programs need to run: the engine has none. One locale, en-US; other names
// are accepted and give the same.

function locales(given) {
  if (given === undefined) return [];
  return [...new Set((Array.isArray(given) ? given : [given]).map(String))];
}

class Service {
  constructor(given) { locales(given); }

  static supportedLocalesOf(given) { return locales(given); }

  resolvedOptions() { return { locale: 'en-US' }; }
}

// Extended grapheme clusters (UAX 29): Hangul syllables, emoji sequences, flags, base with marks.
const GRAPHEME = new RegExp([
  '\\r\\n',
  '\\p{RI}\\p{RI}(?:\\p{M}|\\u200d|\\p{EMod})*',
  '\\p{ExtPict}(?:\\p{M}|\\p{EMod})*(?:\\u200d\\p{ExtPict}(?:\\p{M}|\\p{EMod})*)*\\u200d?',
  '[\\u1100-\\u115f\\ua960-\\ua97c]*(?:[\\uac00-\\ud7a3]|[\\u1160-\\u11a7\\ud7b0-\\ud7c6])' +
    '[\\u1160-\\u11ff\\ud7b0-\\ud7fb]*\\p{M}*',
  '[\\u1100-\\u115f]+\\p{M}*',
  '\\p{Cc}',
  '[^](?:\\p{M}|\\u200d|\\p{EMod}|[\\ufe00-\\ufe0f\\u200c\\uff9e\\uff9f])*',
].join('|'), 'gu');
const WORD = /[\p{L}\p{N}_]+(?:['’.][\p{L}\p{N}_]+)*|\s|[^]/gu;
const SENTENCE = /[^.!?]+(?:[.!?]+["')\]]*\s*|$)|[.!?]+\s*/gu;

class Segmenter extends Service {
  #granularity;

  constructor(given, options) {
    super(given);
    this.#granularity = options?.granularity ?? 'grapheme';
    if (!['grapheme', 'word', 'sentence'].includes(this.#granularity)) {
      throw new RangeError(
        `Value ${this.#granularity} out of range for Intl.Segmenter options property granularity`);
    }
  }

  resolvedOptions() { return { locale: 'en-US', granularity: this.#granularity }; }

  segment(given) {
    const input = `${given}`;
    const isWord = this.#granularity === 'word';
    const pattern = { grapheme: GRAPHEME, word: WORD, sentence: SENTENCE }[this.#granularity];
    function* parts() {
      for (const { 0: segment, index } of input.matchAll(pattern)) {
        yield isWord ? { segment, index, input, isWordLike: /[\p{L}\p{N}]/u.test(segment) }
          : { segment, index, input };
      }
    }
    return {
      [Symbol.iterator]: parts,
      containing(at = 0) {
        for (const part of parts())
          if (at >= part.index && at < part.index + part.segment.length) return part;
        return undefined;
      },
    };
  }
}

class ListFormat extends Service {
  #type;

  constructor(given, options) {
    super(given);
    this.#type = options?.type ?? 'conjunction';
  }

  format(given) {
    const words = [...given];
    const joint = { conjunction: 'and', disjunction: 'or' }[this.#type];
    if (words.length < 2) return words.join('');
    if (joint === undefined) return words.join(', ');
    if (words.length === 2) return words.join(` ${joint} `);
    return `${words.slice(0, -1).join(', ')}, ${joint} ${words.at(-1)}`;
  }
}

class Collator extends Service {
  #numeric;
  #base;
  compare;

  constructor(given, options) {
    super(given);
    this.#numeric = Boolean(options?.numeric);
    this.#base = options?.sensitivity === 'base' || options?.sensitivity === 'accent';
    this.compare = (a, b) => this.#compare(`${a}`, `${b}`);
  }

  #compare(a, b) {
    if (!this.#numeric) return this.#text(a, b);
    const left = a.match(/\d+|\D+/g) ?? [];
    const right = b.match(/\d+|\D+/g) ?? [];
    for (let i = 0; i < Math.min(left.length, right.length); i++) {
      const bothNumbers = /^\d/.test(left[i]) && /^\d/.test(right[i]);
      const order = bothNumbers ? Math.sign(left[i] - right[i]) : this.#text(left[i], right[i]);
      if (order !== 0) return order;
    }
    return Math.sign(left.length - right.length);
  }

  // Letters without regard to case first, then small letters before large ones.
  #text(a, b) {
    const [low, other] = [a.toLowerCase(), b.toLowerCase()];
    if (low !== other) return low < other ? -1 : 1;
    if (this.#base || a === b) return 0;
    return a > b ? -1 : 1;
  }
}

class NumberFormat extends Service {
  #options;
  format;

  constructor(given, options = {}) {
    super(given);
    this.#options = options;
    this.format = (value) => this.#format(value);
  }

  #format(value) {
    const { style, currency, useGrouping = true } = this.#options;
    if (typeof value === 'number' && !Number.isFinite(value))
      return String(value).replace('Infinity', '∞');
    const isMoney = style === 'currency';
    const max = this.#options.maximumFractionDigits ??
      Math.max(this.#options.minimumFractionDigits ?? 0, isMoney ? 2 : style === 'percent' ? 0 : 3);
    const min = this.#options.minimumFractionDigits ?? (isMoney ? Math.min(2, max) : 0);
    const number = style === 'percent' ? Number(value) * 100 : value;
    const text = typeof number === 'bigint' ? String(number) : Math.abs(number).toFixed(max);
    let [whole, fraction = ''] = text.replace('-', '').split('.');
    while (fraction.length > min && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
    if (useGrouping) whole = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    const sign = number < 0 || Object.is(number, -0) ? '-' : '';
    const mark = isMoney ? { USD: '$', EUR: '€', GBP: '£', JPY: '¥' }[currency] ??
      `${currency}\u00a0` : '';
    return `${sign}${mark}${whole}${fraction && `.${fraction}`}${style === 'percent' ? '%' : ''}`;
  }
}

class PluralRules extends Service {
  #ordinal;

  constructor(given, options) {
    super(given);
    this.#ordinal = options?.type === 'ordinal';
  }

  select(value) {
    if (!this.#ordinal) return value === 1 ? 'one' : 'other';
    const ten = value % 10;
    const hundred = value % 100;
    if (ten === 1 && hundred !== 11) return 'one';
    if (ten === 2 && hundred !== 12) return 'two';
    return ten === 3 && hundred !== 13 ? 'few' : 'other';
  }
}

function zoneName() {
  try {
    return process.env.TZ ||
      /zoneinfo\/(?:posix\/)?(.+)$/
        .exec(require('fs').readlinkSync('/etc/localtime'))?.[1] || 'UTC';
  } catch {
    return 'UTC';
  }
}

class DateTimeFormat extends Service {
  #options;
  format;

  constructor(given, options = {}) {
    super(given);
    this.#options = options;
    this.format = (value = Date.now()) => this.#format(new Date(value));
  }

  resolvedOptions() {
    const zone = zoneName().replace(/^Etc\/UTC$/, 'UTC');
    return { locale: 'en-US', calendar: 'gregory', numberingSystem: 'latn',
      timeZone: this.#options.timeZone ?? zone };
  }

  #format(date) {
    const { dateStyle, timeStyle, timeZone, hour, minute } = this.#options;
    const at = timeZone === 'UTC' || timeZone === 'GMT'
      ? new Date(date.getTime() + date.getTimezoneOffset() * 60000) : date;
    const day = `${at.getMonth() + 1}/${at.getDate()}/${at.getFullYear()}`;
    const two = (value) => String(value).padStart(2, '0');
    const time = `${at.getHours() % 12 || 12}:${two(at.getMinutes())}:${two(at.getSeconds())} ${
      at.getHours() < 12 ? 'AM' : 'PM'}`;
    const wantsTime = timeStyle !== undefined || hour !== undefined || minute !== undefined;
    if (wantsTime) return dateStyle === undefined ? time : `${day}, ${time}`;
    return day;
  }
}

const Intl = {
  getCanonicalLocales: locales,
  supportedValuesOf: () => [],
  Collator, DateTimeFormat, ListFormat, NumberFormat, PluralRules, Segmenter,
};
Object.defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });

module.exports = { Intl };
