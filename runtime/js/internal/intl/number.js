'use strict';
// Intl.NumberFormat: options become one of ICU's skeletons. Intl.PluralRules writes numbers
// likewise.

const {
  native,
  service,
  textOption,
  flagOption,
  typeOption,
  outOfRange,
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
const { ROUNDING, readDigits } = require('internal/intl/digits');

const UNITS = new Set([
  'acre',
  'bit',
  'byte',
  'celsius',
  'centimeter',
  'day',
  'degree',
  'fahrenheit',
  'fluid-ounce',
  'foot',
  'gallon',
  'gigabit',
  'gigabyte',
  'gram',
  'hectare',
  'hour',
  'inch',
  'kilobit',
  'kilobyte',
  'kilogram',
  'kilometer',
  'liter',
  'megabit',
  'megabyte',
  'meter',
  'microsecond',
  'mile',
  'mile-scandinavian',
  'milliliter',
  'millimeter',
  'millisecond',
  'minute',
  'month',
  'nanosecond',
  'ounce',
  'percent',
  'petabyte',
  'pound',
  'second',
  'stone',
  'terabit',
  'terabyte',
  'week',
  'yard',
  'year',
]);
// Currencies whose amounts have not two digits behind the point (ISO 4217).
const DIGITS = {
  __proto__: null,
  BHD: 3,
  BIF: 0,
  CLF: 4,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  UYW: 4,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};
const SIGNS = {
  __proto__: null,
  auto: '',
  always: 'always',
  never: 'never',
  exceptZero: 'except-zero',
  negative: 'negative',
};

function isUnit(name) {
  const parts = name.split('-per-');
  return parts.length < 3 && parts.every((part) => UNITS.has(part));
}

function readStyle(state, options) {
  state.style = textOption(
    state,
    options,
    'style',
    ['decimal', 'percent', 'currency', 'unit'],
    'decimal',
  );
  const currency = textOption(state, options, 'currency');
  if (currency === undefined) {
    if (state.style === 'currency')
      throw new TypeError('Currency code is required with currency style.');
  } else if (!/^[a-z]{3}$/i.test(currency)) {
    throw new RangeError(`Invalid currency code : ${currency}`);
  }
  const display = textOption(
    state,
    options,
    'currencyDisplay',
    ['code', 'symbol', 'narrowSymbol', 'name'],
    'symbol',
  );
  const sign = textOption(state, options, 'currencySign', ['standard', 'accounting'], 'standard');
  const unit = textOption(state, options, 'unit');
  if (unit === undefined) {
    if (state.style === 'unit') throw new TypeError('Unit is required with unit style.');
  } else if (!isUnit(unit)) {
    throw new RangeError(`Invalid unit argument for Intl.NumberFormat() '${unit}'`);
  }
  const width = textOption(state, options, 'unitDisplay', ['short', 'narrow', 'long'], 'short');
  if (state.style === 'currency') {
    Object.assign(state, {
      currency: currency.toUpperCase(),
      currencyDisplay: display,
      currencySign: sign,
    });
  } else if (state.style === 'unit') {
    Object.assign(state, { unit, unitDisplay: width });
  }
}

function precision(state) {
  const {
    minimumFractionDigits: fewest,
    maximumFractionDigits: most,
    minimumSignificantDigits: least,
    maximumSignificantDigits: top,
  } = state;
  const fraction = () =>
    most === 0 ? 'precision-integer' : `.${'0'.repeat(fewest)}${'#'.repeat(most - fewest)}`;
  const significant = () => `${'@'.repeat(least)}${'#'.repeat(top - least)}`;
  let stem;
  switch (state.rounding) {
    case 'compact':
      return '';
    case 'significant':
      stem = significant();
      break;
    case 'morePrecision':
    case 'lessPrecision':
      stem = `${most === 0 ? '.' : fraction()}/${significant()}${
        state.rounding === 'morePrecision' ? 'r' : 's'
      }`;
      break;
    default:
      stem =
        state.roundingIncrement === 1
          ? fraction()
          : `precision-increment/${incrementText(state.roundingIncrement, most)}`;
  }
  return state.trailingZeroDisplay === 'stripIfInteger' ? `${stem}/w` : stem;
}

function incrementText(increment, digits) {
  if (digits === 0) return String(increment);
  const text = String(increment).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const WIDTHS = {
  __proto__: null,
  code: 'iso-code',
  name: 'full-name',
  narrowSymbol: 'narrow',
  short: 'short',
  narrow: 'narrow',
  long: 'full-name',
};

function skeletonOf(state) {
  const words = [];
  if (state.style === 'percent') words.push('percent', 'scale/100');
  if (state.style === 'currency') {
    words.push(`currency/${state.currency}`);
    if (state.currencyDisplay !== 'symbol')
      words.push(`unit-width-${WIDTHS[state.currencyDisplay]}`);
  }
  if (state.style === 'unit') {
    words.push(`unit/${state.unit}`, `unit-width-${WIDTHS[state.unitDisplay]}`);
  }
  if (state.notation === 'compact') words.push(`compact-${state.compactDisplay}`);
  else if (state.notation !== 'standard') words.push(state.notation);
  if (state.minimumIntegerDigits > 1)
    words.push(`integer-width/+${'0'.repeat(state.minimumIntegerDigits)}`);
  words.push(precision(state), `rounding-mode-${ROUNDING[state.roundingMode]}`);
  if (state.useGrouping === false) words.push('group-off');
  else if (state.useGrouping === 'always') words.push('group-on-aligned');
  else if (state.useGrouping === 'min2') words.push('group-min2');
  const accounting = state.currencySign === 'accounting' ? 'accounting' : '';
  const sign = [accounting, SIGNS[state.signDisplay]].filter(Boolean).join('-');
  if (sign !== '') words.push(`sign-${sign}`);
  return words.filter(Boolean).join(' ');
}

function readGrouping(state, options) {
  const usual = state.notation === 'compact' ? 'min2' : 'auto';
  const given = options.useGrouping;
  if (given === undefined) return usual;
  if (given === true) return 'always';
  if (!given) return false;
  const text = `${given}`;
  if (text === 'true' || text === 'false') return usual;
  if (!['min2', 'auto', 'always'].includes(text)) throw outOfRange(state, 'useGrouping', text);
  return text;
}

function start(state, locales, given) {
  const requested = localeList(locales);
  const options = coerceOptions(given);
  textOption(state, options, 'localeMatcher', ['lookup', 'best fit'], 'best fit');
  const nu = typeOption(state, options, 'numberingSystem');
  const found = resolveLocale(
    'NumberFormat',
    requested,
    ['nu'],
    { nu },
    { nu: (locale, value) => isNumberingSystem(value) },
  );
  readStyle(state, options);
  state.notation = textOption(
    state,
    options,
    'notation',
    ['standard', 'scientific', 'engineering', 'compact'],
    'standard',
  );
  let [lowest, highest] = [0, state.style === 'percent' ? 0 : 3];
  if (state.style === 'currency' && state.notation === 'standard') {
    lowest = highest = DIGITS[state.currency] ?? 2;
  }
  readDigits(state, options, lowest, highest, state.notation === 'compact');
  const compact = textOption(state, options, 'compactDisplay', ['short', 'long'], 'short');
  if (state.notation === 'compact') state.compactDisplay = compact;
  state.useGrouping = readGrouping(state, options);
  state.signDisplay = textOption(state, options, 'signDisplay', Object.keys(SIGNS), 'auto');
  finish(state, found);
}

function finish(state, found) {
  state.locale = found.locale;
  state.tag = withKeywords(found.base, found.values);
  state.numberingSystem = found.values.nu ?? native.keywordValue(state.tag, 'numbers');
  state.skeleton = skeletonOf(state);
  state.icu = native.openNumber(state.tag, state.skeleton);
}

// What ICU formats exactly: a number, or a decimal number as text.
function valueOf(given) {
  const value = typeof given === 'object' && given !== null ? toPrimitive(given) : given;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i.test(text))
      return text.replace(/^\+/, '');
  }
  return Number(value);
}

function toPrimitive(value) {
  const own = value[Symbol.toPrimitive];
  if (typeof own === 'function') return own.call(value, 'number');
  const plain = value.valueOf();
  return typeof plain === 'object' && plain !== null ? String(value) : plain;
}

const TYPES = [
  'integer',
  'fraction',
  'decimal',
  'exponentSeparator',
  'exponentMinusSign',
  'exponentInteger',
  'group',
  'currency',
  'percentSign',
  'percentSign',
  'sign',
  'unit',
  'compact',
];

function typeOf(state, one, value, text) {
  if (one === undefined) return 'literal';
  const type = TYPES[one.field];
  if (type === 'sign') return /[+＋﬩]/.test(text) ? 'plusSign' : 'minusSign';
  if (type === 'percentSign' && state.style === 'unit') return 'unit';
  if (type === 'integer' && typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : 'infinity';
  }
  return type ?? 'literal';
}

const NUMBER = 2; // ICU's category of fields
const SPAN = 0x1002;

function toParts(state, value, formatted) {
  const fields = fieldsOf(formatted).filter((one) => one.category === NUMBER);
  return partsOf(formatted[0], fields, (one, text) => ({
    type: typeOf(state, one, value, text),
    value: text,
  }));
}

function formatRange(state, first, second) {
  if (first === undefined || second === undefined) {
    throw new TypeError('Invalid argument: start or end is undefined');
  }
  const [begin, end] = [valueOf(first), valueOf(second)];
  if (Number.isNaN(begin) || Number.isNaN(end)) throw new RangeError('Invalid argument: NaN');
  state.icuRange ??= native.openNumberRange(state.tag, state.skeleton);
  return { begin, formatted: native.formatNumberRange(state.icuRange, plain(begin), plain(end)) };
}

const plain = (value) => String(value);

const SHOWN = [
  'locale',
  'numberingSystem',
  'style',
  'currency',
  'currencyDisplay',
  'currencySign',
  'unit',
  'unitDisplay',
  'minimumIntegerDigits',
  'minimumFractionDigits',
  'maximumFractionDigits',
  'minimumSignificantDigits',
  'maximumSignificantDigits',
  'useGrouping',
  'notation',
  'compactDisplay',
  'signDisplay',
  'roundingMode',
  'roundingIncrement',
  'trailingZeroDisplay',
  'roundingPriority',
];

function shown(state, names) {
  const found = {};
  const priority =
    state.rounding === 'morePrecision' || state.rounding === 'compact'
      ? 'morePrecision'
      : state.rounding === 'lessPrecision'
        ? 'lessPrecision'
        : 'auto';
  for (const name of names) {
    const value = name === 'roundingPriority' ? priority : state[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}

const NumberFormat = service('NumberFormat', {
  callable: true,
  start,
  methods: {
    resolvedOptions: (state) => shown(state, SHOWN),
    formatToParts(state, given) {
      const value = valueOf(given);
      return toParts(state, value, native.formatNumber(state.icu, value));
    },
    formatRange: (state, begin, end) => formatRange(state, begin, end).formatted[0],
    formatRangeToParts(state, first, second) {
      const { begin, formatted } = formatRange(state, first, second);
      const fields = fieldsOf(formatted);
      const spans = fields.filter((one) => one.category === SPAN);
      return partsOf(
        formatted[0],
        fields.filter((one) => one.category === NUMBER),
        (one, text, at) => ({
          type: typeOf(state, one, begin, text),
          value: text,
          source: sourceAt(spans, at),
        }),
      );
    },
  },
  getters: {
    format(state) {
      state.format ??= named('', 1, (value) => native.formatNumber(state.icu, valueOf(value))[0]);
      return state.format;
    },
  },
});

const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'];

const PluralRules = service('PluralRules', {
  start(state, locales, given) {
    const requested = localeList(locales);
    const options = coerceOptions(given);
    textOption(state, options, 'localeMatcher', ['lookup', 'best fit'], 'best fit');
    state.type = textOption(state, options, 'type', ['cardinal', 'ordinal'], 'cardinal');
    Object.assign(state, {
      style: 'decimal',
      notation: 'standard',
      signDisplay: 'auto',
      useGrouping: 'auto',
    });
    readDigits(state, options, 0, 3, false);
    finish(state, resolveLocale('PluralRules', requested, [], {}, {}));
    state.rules = native.openPlurals(state.tag, state.type === 'ordinal');
  },
  methods: {
    select: (state, value) => native.selectPlural(state.rules, state.icu, Number(value)),
    selectRange(state, first, second) {
      const { begin } = formatRange(state, Number(first), Number(second));
      return native.selectPlural(
        state.rules,
        state.icuRange,
        plain(begin),
        plain(Number(second)),
      );
    },
    resolvedOptions(state) {
      const has = new Set(native.pluralKeywords(state.rules));
      return {
        ...shown(state, ['locale', 'type', ...SHOWN.slice(8, 13)]),
        pluralCategories: CATEGORIES.filter((name) => has.has(name)),
      };
    },
  },
});

module.exports = { NumberFormat, PluralRules, UNITS };
