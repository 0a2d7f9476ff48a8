'use strict';
// Intl.Collator, ListFormat, RelativeTimeFormat, Segmenter and DisplayNames.

const {
  native,
  service,
  textOption,
  flagOption,
  typeOption,
  toOptions,
  coerceOptions,
  localeList,
  resolveLocale,
  withKeywords,
  isNumberingSystem,
  canonicalTag,
  fieldsOf,
  partsOf,
  named,
  hidden,
  tag,
} = require('internal/intl/service');

const MATCHER = ['lookup', 'best fit'];

// ICU's numbers for attributes of collators and their values.
const ATTRIBUTE = { alternate: 1, caseFirst: 2, caseLevel: 3, strength: 5, numeric: 7 };
const OFF = 16;
const ON = 17;
const SHIFTED = 20;
const NOT_IGNORED = 21;
const FIRST = { __proto__: null, false: OFF, lower: 24, upper: 25 };
const STRENGTH = { __proto__: null, base: 0, accent: 1, case: 0, variant: 2 };

const collations = new Map();
function hasCollation(locale, name) {
  if (name === 'standard' || name === 'search') return false;
  if (!collations.has(locale))
    collations.set(locale, new Set(native.values('collation', locale)));
  return collations.get(locale).has(name);
}

function chooseOrder(state, options, found) {
  const attributes = [];
  if (found.values.kn !== undefined) {
    attributes.push(ATTRIBUTE.numeric, found.values.kn === 'true' ? ON : OFF);
  }
  if (found.values.kf !== undefined) attributes.push(ATTRIBUTE.caseFirst, FIRST[found.values.kf]);
  const sensitivity = textOption(
    state,
    options,
    'sensitivity',
    Object.keys(STRENGTH),
    state.usage === 'sort' ? 'variant' : undefined,
  );
  if (sensitivity !== undefined) {
    attributes.push(
      ATTRIBUTE.strength,
      STRENGTH[sensitivity],
      ATTRIBUTE.caseLevel,
      sensitivity === 'case' ? ON : OFF,
    );
  }
  const ignores = flagOption(options, 'ignorePunctuation', undefined);
  if (ignores !== undefined)
    attributes.push(ATTRIBUTE.alternate, ignores ? SHIFTED : NOT_IGNORED);
  return attributes;
}

const Collator = service('Collator', {
  callable: true,
  start(state, locales, given) {
    const requested = localeList(locales);
    const options = coerceOptions(given);
    state.usage = textOption(state, options, 'usage', ['sort', 'search'], 'sort');
    textOption(state, options, 'localeMatcher', MATCHER, 'best fit');
    const co = typeOption(state, options, 'collation');
    const numeric = flagOption(options, 'numeric', undefined);
    const kf = textOption(state, options, 'caseFirst', Object.keys(FIRST), undefined);
    const found = resolveLocale(
      'Collator',
      requested,
      ['co', 'kf', 'kn'],
      { co, kf, kn: numeric === undefined ? undefined : String(numeric) },
      {
        co: hasCollation,
        kf: (locale, value) => value in FIRST,
        kn: (locale, value) => value === 'true' || value === 'false',
      },
    );
    const attributes = chooseOrder(state, options, found);
    state.locale = found.locale;
    state.collation = found.values.co ?? 'default';
    const searched = state.usage === 'search' ? 'search' : found.values.co;
    state.icu = native.openCollator(withKeywords(found.base, { co: searched }), attributes);
  },
  methods: {
    resolvedOptions({ locale, usage, collation, icu }) {
      const [numeric, first, strength, level, alternate] = native.collatorFacts(icu);
      const sensitivity =
        strength === 0 ? (level === ON ? 'case' : 'base') : strength === 1 ? 'accent' : 'variant';
      return {
        locale,
        usage,
        sensitivity,
        ignorePunctuation: alternate === SHIFTED,
        collation,
        numeric: numeric === ON,
        caseFirst: Object.keys(FIRST).find((name) => FIRST[name] === first) ?? 'false',
      };
    },
  },
  getters: {
    compare(state) {
      state.compare ??= named('', 2, (a, b) => native.compare(state.icu, `${a}`, `${b}`));
      return state.compare;
    },
  },
});

const LIST_TYPES = { __proto__: null, conjunction: 0, disjunction: 1, unit: 2 };
const LIST_WIDTHS = { __proto__: null, long: 0, short: 1, narrow: 2 };
const ELEMENT = 1; // ICU's field of lists
const LIST = 3;

function textsOf(given) {
  if (given === undefined) return [];
  return Array.from(given, (one) => {
    if (typeof one !== 'string')
      throw new TypeError('Iterable yielded ' + String(one) + ' which is not a string');
    return one;
  });
}

const ListFormat = service('ListFormat', {
  start(state, locales, given) {
    const requested = localeList(locales);
    const options = toOptions(given);
    textOption(state, options, 'localeMatcher', MATCHER, 'best fit');
    state.type = textOption(state, options, 'type', Object.keys(LIST_TYPES), 'conjunction');
    state.style = textOption(state, options, 'style', Object.keys(LIST_WIDTHS), 'long');
    state.locale = resolveLocale('ListFormat', requested, [], {}, {}).locale;
    state.icu = native.openList(state.locale, LIST_TYPES[state.type], LIST_WIDTHS[state.style]);
  },
  methods: {
    resolvedOptions: ({ locale, type, style }) => ({ locale, type, style }),
    format: ({ icu }, list) => native.formatList(icu, textsOf(list))[0],
    formatToParts({ icu }, list) {
      const formatted = native.formatList(icu, textsOf(list));
      const fields = fieldsOf(formatted).filter(
        ({ category, field }) => category === LIST && field === ELEMENT,
      );
      return partsOf(formatted[0], fields, (one, value) => ({
        type: one === undefined ? 'literal' : 'element',
        value,
      }));
    },
  },
});

const UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'];
const NUMBER = 2;
const NUMBER_TYPES = ['integer', 'fraction', 'decimal', , , , 'group'];

function relative(state, givenValue, givenUnit) {
  const value = Number(givenValue);
  const name = `${givenUnit}`.replace(/s$/, '');
  const unit = UNITS.indexOf(name);
  if (unit === -1 || !/^[a-z]+$/.test(`${givenUnit}`)) {
    throw new RangeError(`Invalid unit argument for format() '${givenUnit}'`);
  }
  if (!Number.isFinite(value)) {
    throw new RangeError(`Invalid time value`);
  }
  return {
    name,
    formatted: native.formatRelative(state.icu, value, unit, state.numeric === 'always'),
  };
}

const RelativeTimeFormat = service('RelativeTimeFormat', {
  start(state, locales, given) {
    const requested = localeList(locales);
    const options = coerceOptions(given);
    textOption(state, options, 'localeMatcher', MATCHER, 'best fit');
    const nu = typeOption(state, options, 'numberingSystem');
    const found = resolveLocale(
      'RelativeTimeFormat',
      requested,
      ['nu'],
      { nu },
      { nu: (locale, value) => isNumberingSystem(value) },
    );
    state.style = textOption(state, options, 'style', Object.keys(LIST_WIDTHS), 'long');
    state.numeric = textOption(state, options, 'numeric', ['always', 'auto'], 'always');
    state.locale = found.locale;
    const full = withKeywords(found.base, found.values);
    state.numberingSystem = found.values.nu ?? native.keywordValue(full, 'numbers');
    state.icu = native.openRelative(full, LIST_WIDTHS[state.style]);
  },
  methods: {
    resolvedOptions: ({ locale, style, numeric, numberingSystem }) => ({
      locale,
      style,
      numeric,
      numberingSystem,
    }),
    format: (state, value, unit) => relative(state, value, unit).formatted[0],
    formatToParts(state, value, unit) {
      const { name, formatted } = relative(state, value, unit);
      const fields = fieldsOf(formatted).filter(({ category }) => category === NUMBER);
      return partsOf(formatted[0], fields, (one, text) => {
        const type = one === undefined ? undefined : NUMBER_TYPES[one.field];
        return type === undefined
          ? { type: 'literal', value: text }
          : { type, value: text, unit: name };
      });
    },
  },
});

const KINDS = { __proto__: null, grapheme: 0, word: 1, sentence: 3 };
const WORDS = 100; // ICU's status of a part: from here on it is a word or a number

// The parts of one text. They are found once, when they are first asked for.
function makeSegments(state, input) {
  let found;
  const ends = () => (found ??= native.boundaries(state.locale, KINDS[state.granularity], input));
  const part = (i) => {
    const index = i === 0 ? 0 : ends()[i - 2];
    const segment = { segment: input.slice(index, ends()[i]), index, input };
    if (state.granularity === 'word') segment.isWordLike = ends()[i + 1] >= WORDS;
    return segment;
  };
  const segments = Object.create(segmentsPrototype);
  insides.set(segments, { input, ends, part });
  return segments;
}

const insides = new WeakMap();
const segmentsPrototype = {};
hidden(
  segmentsPrototype,
  'containing',
  named('containing', 1, function (at) {
    const { input, ends, part } = insides.get(this);
    const place = Math.trunc(Number(at)) || 0;
    if (place < 0 || place >= input.length) return undefined;
    for (let i = 0; i < ends().length; i += 2) if (place < ends()[i]) return part(i);
    return undefined;
  }),
);
const iteratorPrototype = Object.create(
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())),
);
hidden(
  iteratorPrototype,
  'next',
  named('next', 0, function () {
    const walk = insides.get(this);
    if (walk.at >= walk.ends().length) return { value: undefined, done: true };
    walk.at += 2;
    return { value: walk.part(walk.at - 2), done: false };
  }),
);
tag(iteratorPrototype, 'Segmenter String Iterator');
hidden(
  segmentsPrototype,
  Symbol.iterator,
  named('[Symbol.iterator]', 0, function () {
    const iterator = Object.create(iteratorPrototype);
    insides.set(iterator, { ...insides.get(this), at: 0 });
    return iterator;
  }),
);

const Segmenter = service('Segmenter', {
  start(state, locales, given) {
    const requested = localeList(locales);
    const options = toOptions(given);
    textOption(state, options, 'localeMatcher', MATCHER, 'best fit');
    state.granularity = textOption(state, options, 'granularity', Object.keys(KINDS), 'grapheme');
    state.locale = resolveLocale('Segmenter', requested, [], {}, {}).locale;
  },
  methods: {
    resolvedOptions: ({ locale, granularity }) => ({ locale, granularity }),
    segment: (state, input) => makeSegments(state, `${input}`),
  },
});

// Fields of dates as ICU's pattern generator numbers them.
const DATE_FIELDS = {
  __proto__: null,
  era: 0,
  year: 1,
  quarter: 2,
  month: 3,
  weekOfYear: 4,
  weekday: 6,
  day: 9,
  dayPeriod: 10,
  hour: 11,
  minute: 12,
  second: 13,
  timeZoneName: 15,
};
const CODES = {
  __proto__: null,
  language: (code) => {
    if (/-u(-|$)|-t-|-x-|^x-/i.test(code)) return undefined;
    return canonicalTag(code);
  },
  region: (code) => (/^(?:[a-z]{2}|\d{3})$/i.test(code) ? code.toUpperCase() : undefined),
  script: (code) =>
    /^[a-z]{4}$/i.test(code) ? code[0].toUpperCase() + code.slice(1).toLowerCase() : undefined,
  currency: (code) => (/^[a-z]{3}$/i.test(code) ? code.toUpperCase() : undefined),
  calendar: (code) =>
    /^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(code) ? code.toLowerCase() : undefined,
  dateTimeField: (code) => (code in DATE_FIELDS ? String(DATE_FIELDS[code]) : undefined),
};
const ICU_CALENDARS = { __proto__: null, gregory: 'gregorian', ethioaa: 'ethiopic-amete-alem' };

const DisplayNames = service('DisplayNames', {
  length: 2,
  start(state, locales, given) {
    const requested = localeList(locales);
    if (given === undefined)
      throw new TypeError("Cannot read properties of undefined (reading 'type')");
    const options = toOptions(given);
    textOption(state, options, 'localeMatcher', MATCHER, 'best fit');
    state.style = textOption(state, options, 'style', Object.keys(LIST_WIDTHS), 'long');
    state.type = textOption(state, options, 'type', Object.keys(CODES), undefined);
    if (state.type === undefined)
      throw new TypeError('Required option "type" must not be undefined');
    state.fallback = textOption(state, options, 'fallback', ['code', 'none'], 'code');
    const language = textOption(
      state,
      options,
      'languageDisplay',
      ['dialect', 'standard'],
      'dialect',
    );
    if (state.type === 'language') state.languageDisplay = language;
    state.locale = resolveLocale('DisplayNames', requested, [], {}, {}).locale;
  },
  methods: {
    resolvedOptions: ({ locale, style, type, fallback, languageDisplay }) => ({
      locale,
      style,
      type,
      fallback,
      ...(languageDisplay === undefined ? {} : { languageDisplay }),
    }),
    of(state, given) {
      const text = `${given}`;
      const code = CODES[state.type](text);
      if (code === undefined)
        throw new RangeError(`Invalid argument to Intl.DisplayNames.prototype.of`);
      const asked = state.type === 'calendar' ? (ICU_CALENDARS[code] ?? code) : code;
      const name = native.displayName(
        state.locale,
        state.type,
        asked,
        LIST_WIDTHS[state.style],
        state.languageDisplay === 'dialect',
      );
      const isNone =
        name === null || name === '' || (name === asked && state.type !== 'currency');
      if (!isNone) return name;
      return state.fallback === 'code' ? code : undefined;
    },
  },
});

module.exports = { Collator, ListFormat, RelativeTimeFormat, Segmenter, DisplayNames };
