'use strict';
// Intl.DateTimeFormat: options become a skeleton, for which ICU has the locale's pattern.

const {
  native,
  service,
  textOption,
  flagOption,
  numberOption,
  typeOption,
  coerceOptions,
  localeList,
  resolveLocale,
  withKeywords,
  isNumberingSystem,
  fieldsOf,
  partsOf,
  named,
  sourceAt,
} = require('internal/intl/service');

// Option → its values and ICU's letters for them.
const FIELDS = {
  __proto__: null,
  weekday: { narrow: 'EEEEE', short: 'EEE', long: 'EEEE' },
  era: { narrow: 'GGGGG', short: 'GGG', long: 'GGGG' },
  year: { '2-digit': 'yy', numeric: 'y' },
  month: { '2-digit': 'MM', numeric: 'M', narrow: 'MMMMM', short: 'MMM', long: 'MMMM' },
  day: { '2-digit': 'dd', numeric: 'd' },
  dayPeriod: { narrow: 'BBBBB', short: 'B', long: 'BBBB' },
  hour: { '2-digit': 'jj', numeric: 'j' },
  minute: { '2-digit': 'mm', numeric: 'm' },
  second: { '2-digit': 'ss', numeric: 's' },
  timeZoneName: {
    short: 'z',
    long: 'zzzz',
    shortOffset: 'O',
    longOffset: 'OOOO',
    shortGeneric: 'v',
    longGeneric: 'vvvv',
  },
};
const DATE_FIELDS = ['weekday', 'year', 'month', 'day'];
const TIME_FIELDS = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];
const STYLES = ['full', 'long', 'medium', 'short'];
const HOURS = { __proto__: null, h11: 'K', h12: 'h', h23: 'H', h24: 'k' };
const CYCLES = { __proto__: null, K: 'h11', h: 'h12', H: 'h23', k: 'h24' };

let calendars;
function isCalendar(name) {
  calendars ??= new Set(native.values('calendar', undefined));
  return calendars.has(name);
}

// Which fields are wanted where the program names none.
function withDefaults(given, required, defaults) {
  const options = { __proto__: given === undefined ? null : coerceOptions(given) };
  const watched = [
    ...(required === 'time' ? [] : DATE_FIELDS),
    ...(required === 'date' ? [] : TIME_FIELDS),
  ];
  let needs = watched.every((name) => options[name] === undefined);
  const { dateStyle, timeStyle } = options;
  if (dateStyle !== undefined || timeStyle !== undefined) needs = false;
  if (required === 'date' && timeStyle !== undefined) {
    throw new TypeError('Invalid option : timeStyle');
  }
  if (required === 'time' && dateStyle !== undefined) {
    throw new TypeError('Invalid option : dateStyle');
  }
  if (needs && defaults !== 'time') options.year = options.month = options.day = 'numeric';
  if (needs && defaults !== 'date') options.hour = options.minute = options.second = 'numeric';
  return options;
}

function zoneOf(given) {
  if (given === undefined) return defaultZone();
  const text = `${given}`;
  const found = canonicalZone(text);
  if (found === null) throw new RangeError(`Invalid time zone specified: ${text}`);
  return found;
}

let zones;
function canonicalZone(text) {
  if (!/^[A-Za-z0-9_+\-/]+$/.test(text) || /^(?:GMT|UTC)?[+-]\d/i.test(text)) return null;
  // ICU minds the case.
  zones ??= new Map(
    native.values('timeZone', undefined).map((name) => [name.toLowerCase(), name]),
  );
  const known = zones.get(text.toLowerCase());
  if (known === undefined || (/^.{3}$/.test(known) && known !== known.toUpperCase())) return null;
  const found = native.canonicalZone(known);
  return found === null
    ? null
    : /^(Etc\/(UTC|GMT|UCT|Zulu|Universal|Greenwich)|GMT|UTC)$/.test(found)
      ? 'UTC'
      : found;
}

function defaultZone() {
  const wanted = (process.env.TZ ?? '').replace(/^:/, '');
  const found = wanted !== '' ? canonicalZone(wanted) : canonicalZone(native.defaultZone());
  return found ?? 'UTC';
}

// The hour cycle: what was asked for, else what the locale does.
function hoursOf(state, base, hour12, asked) {
  const usual = remembered(`hours ${base}`, () => native.dateFacts(base)[2]);
  if (hour12 === undefined) return asked ?? usual;
  const isFromZero = usual === 'h11' || usual === 'h23';
  if (hour12) return isFromZero ? 'h11' : 'h12';
  return isFromZero ? 'h23' : 'h24';
}

// Finding a locale's patterns takes ICU milliseconds.
const known = new Map();
function remembered(key, find) {
  if (!known.has(key)) {
    if (known.size > 500) known.clear();
    known.set(key, find());
  }
  return known.get(key);
}

// Changes each letter of a pattern that is not quoted.
function eachLetter(pattern, change) {
  return pattern.replace(/'[^']*'|[A-Za-z]/g, (part) => (part[0] === "'" ? part : change(part)));
}

function withHours(pattern, cycle) {
  const found = /[KhHk](?=(?:[^']*'[^']*')*[^']*$)/.exec(pattern)?.[0];
  if (found === undefined) return pattern;
  const letter = HOURS[cycle];
  const wants12 = letter === 'h' || letter === 'K';
  const has12 = found === 'h' || found === 'K';
  let changed = eachLetter(pattern, (one) => (one === found ? letter : one));
  if (has12 && !wants12) {
    changed = changed
      .replace(/[\s\u202f\u00a0]*[abB]+[\s\u202f\u00a0]*/, '')
      .replace(/\b([Hk])\b(?=[:.])/, '$1$1');
  } else if (wants12 && !has12) {
    changed = changed.replace(/([Kh])\1/, '$1');
    if (!/[abB]/.test(changed)) changed = changed.replace(/([Kh].*?[ms](?![^ ]*[ms]))/, '$1 a');
  }
  return changed;
}

function skeletonOf(options, cycle) {
  let skeleton = '';
  for (const name of Object.keys(FIELDS)) {
    if (options[name] === undefined) continue;
    if (name === 'timeZoneName' && options.fractionalSecondDigits > 0) {
      skeleton += 'S'.repeat(options.fractionalSecondDigits);
    }
    const letters = FIELDS[name][options[name]];
    skeleton += name === 'hour' ? letters.replaceAll('j', HOURS[cycle]) : letters;
  }
  if (options.timeZoneName === undefined && options.fractionalSecondDigits > 0) {
    skeleton += 'S'.repeat(options.fractionalSecondDigits);
  }
  return skeleton;
}

// In patterns of whole styles the hours of the locale go with what was asked for.
function stylePattern(state, cycle) {
  const number = (style) => (style === undefined ? -1 : STYLES.indexOf(style));
  const pattern = remembered(`style ${state.tag} ${state.dateStyle} ${state.timeStyle}`, () =>
    native.stylePattern(state.tag, number(state.dateStyle), number(state.timeStyle)),
  );
  return state.timeStyle === undefined ? pattern : withHours(pattern, cycle);
}

function readFields(state, options) {
  const fields = { __proto__: null };
  for (const name of Object.keys(FIELDS)) {
    if (name === 'timeZoneName') {
      fields.fractionalSecondDigits = numberOption(
        state,
        options,
        'fractionalSecondDigits',
        1,
        3,
        undefined,
      );
    }
    fields[name] = textOption(state, options, name, Object.keys(FIELDS[name]), undefined);
  }
  return fields;
}

function start(state, locales, given, required = 'any', defaults = 'date') {
  const requested = localeList(locales);
  const options = withDefaults(given, required, defaults);
  textOption(state, options, 'localeMatcher', ['lookup', 'best fit'], 'best fit');
  const ca = typeOption(state, options, 'calendar');
  const nu = typeOption(state, options, 'numberingSystem');
  const hour12 = flagOption(options, 'hour12', undefined);
  const hc = textOption(state, options, 'hourCycle', Object.keys(HOURS), undefined);
  const found = resolveLocale(
    'DateTimeFormat',
    requested,
    ['ca', 'hc', 'nu'],
    { ca: ca === 'gregorian' ? 'gregory' : ca, nu, hc: hour12 === undefined ? hc : undefined },
    {
      ca: (locale, value) => isCalendar(value),
      nu: (locale, value) => isNumberingSystem(value),
      hc: (locale, value) => value in HOURS,
    },
  );
  if (hour12 !== undefined) found.values.hc = undefined;
  state.locale = hour12 === undefined ? found.locale : withoutHours(found.locale);
  state.base = found.base;
  state.tag = withKeywords(found.base, { ca: found.values.ca, nu: found.values.nu });
  state.calendar = found.values.ca ?? native.keywordValue(found.base, 'calendar');
  state.numberingSystem = found.values.nu ?? native.keywordValue(state.tag, 'numbers');
  state.timeZone = zoneOf(options.timeZone);
  const fields = readFields(state, options);
  textOption(state, options, 'formatMatcher', ['basic', 'best fit'], 'best fit');
  state.dateStyle = textOption(state, options, 'dateStyle', STYLES, undefined);
  state.timeStyle = textOption(state, options, 'timeStyle', STYLES, undefined);
  const cycle = hoursOf(state, state.tag, hour12, found.values.hc ?? hc);
  choosePattern(state, fields, cycle);
}

const withoutHours = (locale) => locale.replace(/-hc-h\d\d/, '').replace(/-u$/, '');

function choosePattern(state, fields, cycle) {
  if (state.dateStyle !== undefined || state.timeStyle !== undefined) {
    const named = Object.keys(FIELDS)
      .concat('fractionalSecondDigits')
      .find((name) => fields[name] !== undefined);
    if (named !== undefined) {
      throw new TypeError(
        `Can't set option ${named} when ${
          state.dateStyle !== undefined ? 'dateStyle' : 'timeStyle'
        } is used`,
      );
    }
    state.pattern = stylePattern(state, cycle);
  } else {
    const skeleton = skeletonOf(fields, cycle);
    state.pattern = withHours(
      remembered(`best ${state.tag} ${skeleton}`, () => native.bestPattern(state.tag, skeleton)),
      cycle,
    );
    state.fields = fields;
  }
  const letter = /[KhHk]/.exec(state.pattern.replace(/'[^']*'/g, ''))?.[0];
  if (letter !== undefined) state.hourCycle = CYCLES[letter];
  state.icu = native.openDate(state.tag, state.timeZone, state.pattern);
}

function dateOf(given) {
  const value = given === undefined ? Date.now() : Number(given);
  if (!(Math.abs(value) <= 8.64e15)) throw new RangeError('Invalid time value');
  return Math.trunc(value) + 0;
}

const TYPES = {
  __proto__: null,
  0: 'era',
  1: 'year',
  2: 'month',
  3: 'day',
  4: 'hour',
  5: 'hour',
  6: 'minute',
  7: 'second',
  8: 'fractionalSecond',
  9: 'weekday',
  14: 'dayPeriod',
  15: 'hour',
  16: 'hour',
  17: 'timeZoneName',
  18: 'year',
  19: 'weekday',
  20: 'year',
  23: 'timeZoneName',
  24: 'timeZoneName',
  25: 'weekday',
  26: 'month',
  29: 'timeZoneName',
  30: 'yearName',
  31: 'timeZoneName',
  32: 'timeZoneName',
  33: 'timeZoneName',
  34: 'relatedYear',
  35: 'dayPeriod',
  36: 'dayPeriod',
};

// Newer tables have thin spaces that programs do not expect; V8 gives plain ones.
const plainSpaces = (text) => text.replaceAll('\u202f', ' ');
const format = (state, given) => plainSpaces(native.formatDate(state.icu, dateOf(given))[0]);

const DATE = 1; // ICU's categories of fields
const SPAN = 0x1005;

function range(state, first, second) {
  if (first === undefined || second === undefined) {
    throw new TypeError('startDate or endDate cannot be undefined');
  }
  const [begin, end] = [dateOf(first), dateOf(second)];
  if (state.icuRange === undefined) {
    const skeleton = state.pattern
      .replace(/'[^']*'/g, '')
      .replace(/[^A-Za-z]/g, '')
      .replace(/a+/g, '');
    state.icuRange = native.openDateRange(state.tag, state.timeZone, skeleton);
  }
  return { begin, formatted: native.formatDateRange(state.icuRange, begin, end) };
}

// Both ends look the same: one date is told.
function rangeIsOne(formatted) {
  return !fieldsOf(formatted).some((one) => one.category === SPAN);
}

function resolvedFields(state) {
  if (state.fields === undefined) return {};
  const letters = state.pattern.replace(/'[^']*'/g, '');
  const found = {};
  const of = (set) => new RegExp(`([${set}])\\1*`).exec(letters)?.[0];
  const width = (text) => (text.length === 5 ? 'narrow' : text.length === 4 ? 'long' : 'short');
  const digits = (text) => (text.length === 2 ? '2-digit' : 'numeric');
  const tell = (name, set, tellIt) => {
    const text = of(set);
    if (text !== undefined) found[name] = tellIt(text);
  };
  tell('weekday', 'Ece', width);
  tell('era', 'G', width);
  tell('year', 'yYru', digits);
  tell('month', 'ML', (text) => (text.length < 3 ? digits(text) : width(text)));
  tell('day', 'd', digits);
  if (state.fields.dayPeriod !== undefined) found.dayPeriod = state.fields.dayPeriod;
  tell('hour', 'KhHk', digits);
  tell('minute', 'm', digits);
  tell('second', 's', digits);
  tell('fractionalSecondDigits', 'S', (text) => text.length);
  if (state.fields.timeZoneName !== undefined) found.timeZoneName = state.fields.timeZoneName;
  return found;
}

const DateTimeFormat = service('DateTimeFormat', {
  callable: true,
  start,
  methods: {
    resolvedOptions(state) {
      const { locale, calendar, numberingSystem, timeZone, hourCycle, dateStyle, timeStyle } =
        state;
      return {
        locale,
        calendar,
        numberingSystem,
        timeZone,
        ...(hourCycle === undefined
          ? {}
          : { hourCycle, hour12: hourCycle === 'h11' || hourCycle === 'h12' }),
        ...resolvedFields(state),
        ...(dateStyle === undefined ? {} : { dateStyle }),
        ...(timeStyle === undefined ? {} : { timeStyle }),
      };
    },
    formatToParts(state, given) {
      const formatted = native.formatDate(state.icu, dateOf(given));
      return partsOf(formatted[0], fieldsOf(formatted), (one, value) => ({
        type: one === undefined ? 'literal' : (TYPES[one.field] ?? 'literal'),
        value,
      }));
    },
    formatRange(state, first, second) {
      const { begin, formatted } = range(state, first, second);
      return rangeIsOne(formatted) ? format(state, begin) : plainSpaces(formatted[0]);
    },
    formatRangeToParts(state, first, second) {
      const { begin, formatted } = range(state, first, second);
      if (rangeIsOne(formatted)) {
        const one = native.formatDate(state.icu, begin);
        return partsOf(one[0], fieldsOf(one), (field, value) => ({
          type: field === undefined ? 'literal' : (TYPES[field.field] ?? 'literal'),
          value,
          source: 'shared',
        }));
      }
      const fields = fieldsOf(formatted);
      const spans = fields.filter((one) => one.category === SPAN);
      return partsOf(
        formatted[0],
        fields.filter((one) => one.category === DATE),
        (one, value, at) => ({
          type: one === undefined ? 'literal' : (TYPES[one.field] ?? 'literal'),
          value,
          source: sourceAt(spans, at),
        }),
      );
    },
  },
  getters: {
    format(state) {
      state.bound ??= named('', 1, (date) => format(state, date));
      return state.bound;
    },
  },
});

// For toLocaleString and its kin, which want other fields where none is named.
function formatDate(date, locales, options, required, defaults) {
  const state = { __proto__: null, service: 'Intl.DateTimeFormat' };
  start(state, locales, options, required, defaults);
  return format(state, date);
}

module.exports = { DateTimeFormat, formatDate, canonicalZone };
