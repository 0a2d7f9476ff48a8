'use strict';
// Intl.Locale: a tag, taken apart.

const {
  native,
  textOption,
  flagOption,
  typeOption,
  coerceOptions,
  canonicalTag,
  keywords,
  withoutExtension,
  tag,
  LOCALE,
} = require('internal/intl/service');

const NAMES = {
  calendar: 'ca',
  collation: 'co',
  hourCycle: 'hc',
  caseFirst: 'kf',
  numeric: 'kn',
  numberingSystem: 'nu',
};
const SERVICE = { service: 'Intl.Locale' };

function withParts(name, options) {
  const language = textOption(SERVICE, options, 'language');
  const script = textOption(SERVICE, options, 'script');
  const region = textOption(SERVICE, options, 'region');
  if (
    (language !== undefined && !/^(?:[a-z]{2,3}|[a-z]{5,8})$/i.test(language)) ||
    (script !== undefined && !/^[a-z]{4}$/i.test(script)) ||
    (region !== undefined && !/^(?:[a-z]{2}|\d{3})$/i.test(region))
  ) {
    throw new RangeError('Incorrect locale information provided');
  }
  const parts = name.split('-');
  const rest = parts.slice(1);
  const ownScript = /^[a-z]{4}$/i.test(rest[0] ?? '') ? rest.shift() : undefined;
  const ownRegion = /^(?:[a-z]{2}|\d{3})$/i.test(rest[0] ?? '') ? rest.shift() : undefined;
  return [language ?? parts[0], script ?? ownScript, region ?? ownRegion, ...rest]
    .filter((part) => part !== undefined)
    .join('-');
}

function readKeywords(options) {
  const hc = textOption(SERVICE, options, 'hourCycle', ['h11', 'h12', 'h23', 'h24']);
  const kf = textOption(SERVICE, options, 'caseFirst', ['upper', 'lower', 'false']);
  const kn = flagOption(options, 'numeric', undefined);
  return {
    ca: typeOption(SERVICE, options, 'calendar'),
    co: typeOption(SERVICE, options, 'collation'),
    hc,
    kf,
    kn: kn === undefined ? undefined : String(kn),
    nu: typeOption(SERVICE, options, 'numberingSystem'),
  };
}

function withWords(name, words) {
  const all = { ...keywords(name) };
  for (const [key, value] of Object.entries(words)) if (value !== undefined) all[key] = value;
  const list = Object.keys(all)
    .sort()
    .map((key) => (all[key] === '' || all[key] === 'true' ? key : `${key}-${all[key]}`));
  const base = name.replace(/-u(?:-[a-z0-9]{2,8})+/i, '');
  if (list.length === 0) return base;
  const at = /-[a-z]-/i.exec(base.slice(2))?.index;
  const word = `-u-${list.join('-')}`;
  const isAfter = at !== undefined && base[at + 3].toLowerCase() < 'u';
  return at === undefined || isAfter
    ? base + word
    : base.slice(0, at + 2) + word + base.slice(at + 2);
}

const DAYS = [, 7, 1, 2, 3, 4, 5, 6]; // ICU begins with Sunday

class Locale {
  constructor(given, givenOptions) {
    if (typeof given !== 'string' && (typeof given !== 'object' || given === null)) {
      throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
    }
    const options = coerceOptions(givenOptions);
    const name = given[LOCALE] ?? canonicalTag(given);
    const extension = name.slice(withoutParts(name).length);
    const changed = canonicalTag(withParts(withoutParts(name), options) + extension);
    const full = canonicalTag(withWords(changed, readKeywords(options)));
    Object.defineProperty(this, LOCALE, { value: full });
  }

  toString() {
    return tagOf(this);
  }

  get baseName() {
    return withoutParts(tagOf(this));
  }

  get language() {
    return tagOf(this).split('-')[0];
  }

  get script() {
    return /^[a-z]{2,8}-([a-z]{4})(?:-|$)/i.exec(this.baseName)?.[1];
  }

  get region() {
    return /^[a-z]{2,8}(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?:-|$)/i.exec(this.baseName)?.[1];
  }

  get calendar() {
    return keywords(tagOf(this)).ca;
  }

  get collation() {
    return keywords(tagOf(this)).co;
  }

  get hourCycle() {
    return keywords(tagOf(this)).hc;
  }

  get caseFirst() {
    return keywords(tagOf(this)).kf;
  }

  get numeric() {
    return ['', 'true'].includes(keywords(tagOf(this)).kn);
  }

  get numberingSystem() {
    return keywords(tagOf(this)).nu;
  }

  maximize() {
    return likely(this, true);
  }

  minimize() {
    return likely(this, false);
  }

  get calendars() {
    return this.calendar !== undefined ? [this.calendar] : native.values('calendar', tagOf(this));
  }

  get collations() {
    return this.collation !== undefined
      ? [this.collation]
      : native
          .values('collation', tagOf(this))
          .filter((one) => !/^(standard|search)$/.test(one))
          .sort();
  }

  get hourCycles() {
    return [this.hourCycle ?? native.dateFacts(tagOf(this))[2]];
  }

  get numberingSystems() {
    return [this.numberingSystem ?? native.keywordValue(tagOf(this), 'numbers')];
  }

  get timeZones() {
    return this.region === undefined
      ? undefined
      : native.values('timeZone', `und-${this.region}`).sort();
  }

  get textInfo() {
    return { direction: native.isRightToLeft(tagOf(this)) ? 'rtl' : 'ltr' };
  }

  get weekInfo() {
    const [first, days, , weekend] = native.dateFacts(tagOf(this));
    return {
      firstDay: DAYS[first],
      weekend: weekend.map((day) => DAYS[day]).sort(),
      minimalDays: days,
    };
  }
}
tag(Locale.prototype, 'Intl.Locale');

const withoutParts = (name) => withoutExtension(name).replace(/-[a-wyz]-.*$|-x-.*$/i, '');

function tagOf(locale) {
  const name = locale?.[LOCALE];
  if (name === undefined) {
    throw new TypeError('Method Intl.Locale.prototype.toString called on incompatible receiver');
  }
  return name;
}

function likely(locale, isMore) {
  const name = tagOf(locale);
  return new Locale(native.likelyLocale(name, isMore) ?? name);
}

module.exports = { Locale, NAMES };
