'use strict';
// The object Intl. Its plug-in stands on ICU; where that is missing, using Intl is an error that
// says so, and never another answer.

const {
  localeList,
  native,
  isNumberingSystem,
  hidden,
  named,
  tag,
} = require('internal/intl/service');
const { NumberFormat, PluralRules, UNITS } = require('internal/intl/number');
const { DateTimeFormat, canonicalZone } = require('internal/intl/date');
const {
  Collator,
  ListFormat,
  RelativeTimeFormat,
  Segmenter,
  DisplayNames,
} = require('internal/intl/text');
const { Locale } = require('internal/intl/locale');

const sorted = (names) => [...new Set(names)].sort();
const VALUES = {
  __proto__: null,
  calendar: () => native.values('calendar', undefined),
  collation: () =>
    native
      .values('collation', undefined)
      .filter((name) => name !== 'standard' && name !== 'search'),
  currency: () => native.values('currency', undefined).filter((name) => /^[A-Z]{3}$/.test(name)),
  numberingSystem: () => native.values('numberingSystem', undefined).filter(isNumberingSystem),
  timeZone: () =>
    native
      .values('timeZone', undefined)
      .map(canonicalZone)
      .filter((name) => name !== null && name.includes('/') && !/^(Etc|SystemV|US)\//.test(name)),
  unit: () => [...UNITS],
};

function supportedValuesOf(key) {
  const name = `${key}`;
  if (!(name in VALUES)) throw new RangeError(`Invalid key : ${name}`);
  return sorted(VALUES[name]());
}

const Intl = {};
hidden(
  Intl,
  'getCanonicalLocales',
  named('getCanonicalLocales', 1, (locales) => localeList(locales)),
);
hidden(Intl, 'supportedValuesOf', named('supportedValuesOf', 1, supportedValuesOf));
for (const construct of [
  DateTimeFormat,
  NumberFormat,
  Collator,
  PluralRules,
  RelativeTimeFormat,
  ListFormat,
  Locale,
  DisplayNames,
  Segmenter,
])
  hidden(Intl, construct.name, construct);
tag(Intl, 'Intl');

module.exports = { Intl };
