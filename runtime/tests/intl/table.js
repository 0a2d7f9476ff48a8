'use strict';
// table.js: one line for each of some 20,000 combinations of locale, options and value. Node and
// phasor run it, and compare.py says where they differ.

const LOCALES = [
  'en-US',
  'en-GB',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'es-MX',
  'it',
  'pt-BR',
  'pt-PT',
  'nl',
  'sv',
  'da',
  'nb',
  'fi',
  'pl',
  'cs',
  'hu',
  'ro',
  'ru',
  'uk',
  'bg',
  'el',
  'tr',
  'ar-EG',
  'fa',
  'he',
  'hi',
  'bn',
  'th',
  'vi',
  'id',
  'zh-CN',
  'zh-TW',
  'ja',
  'ko',
  'ja-JP-u-ca-japanese',
  'th-TH-u-nu-thai',
  'ar-EG-u-nu-latn',
];

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  12,
  0.5,
  1234.5678,
  -9876543.21,
  1e9,
  1e21,
  0.000001234,
  NaN,
  Infinity,
];
const NUMBER_OPTIONS = [
  {},
  { style: 'percent' },
  { style: 'currency', currency: 'EUR' },
  { style: 'currency', currency: 'JPY', currencyDisplay: 'name' },
  { style: 'currency', currency: 'USD', currencySign: 'accounting', signDisplay: 'always' },
  { style: 'unit', unit: 'kilometer-per-hour', unitDisplay: 'long' },
  { style: 'unit', unit: 'megabyte' },
  { notation: 'compact' },
  { notation: 'compact', compactDisplay: 'long' },
  { notation: 'scientific' },
  { notation: 'engineering', maximumFractionDigits: 1 },
  { maximumSignificantDigits: 3 },
  { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  { minimumIntegerDigits: 3 },
  { useGrouping: false },
  { signDisplay: 'exceptZero', roundingMode: 'floor', maximumFractionDigits: 0 },
];

const DATES = [0, 951782400000, 1700000000000, -1e12];
const ZONES = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin'];
const DATE_OPTIONS = [
  {},
  { dateStyle: 'full' },
  { dateStyle: 'long', timeStyle: 'short' },
  { dateStyle: 'medium', timeStyle: 'medium' },
  { dateStyle: 'short', timeStyle: 'long' },
  { timeStyle: 'short' },
  { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  { month: 'short', day: '2-digit' },
  { hour: 'numeric', minute: '2-digit' },
  { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
  { hour: 'numeric', hour12: true },
  { year: '2-digit', month: '2-digit', day: '2-digit' },
  { era: 'short', year: 'numeric' },
  { month: 'long' },
  { weekday: 'short' },
  { minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 },
  { hourCycle: 'h23', hour: 'numeric' },
];

function tell(...words) {
  let text;
  try {
    const work = words.pop();
    text = work();
  } catch (error) {
    text = `${error.name}: ${error.message}`;
  }
  console.log(JSON.stringify([...words, text]));
}

for (const locale of LOCALES) {
  for (const options of NUMBER_OPTIONS) {
    const format = new Intl.NumberFormat(locale, options);
    for (const value of NUMBERS)
      tell('number', locale, options, String(value), () => format.format(value));
    tell('number parts', locale, options, '', () =>
      format
        .formatToParts(-1234.5)
        .map((p) => `${p.type}:${p.value}`)
        .join(' '),
    );
  }
  for (const options of DATE_OPTIONS) {
    for (const timeZone of ZONES) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
      for (const value of DATES)
        tell('date', locale, { ...options, timeZone }, value, () => format.format(value));
    }
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    tell('date parts', locale, options, '', () =>
      format
        .formatToParts(1e12)
        .map((p) => `${p.type}:${p.value}`)
        .join('|'),
    );
  }
  for (const type of ['cardinal', 'ordinal']) {
    const rules = new Intl.PluralRules(locale, { type });
    for (const value of [0, 1, 2, 3, 5, 11, 21, 100, 1.5, 1e6])
      tell('plural', locale, type, value, () => rules.select(value));
  }
  for (const numeric of ['always', 'auto']) {
    const format = new Intl.RelativeTimeFormat(locale, { numeric });
    for (const unit of ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']) {
      for (const value of [-1, 0, 1, 5])
        tell('relative', locale, numeric, `${value} ${unit}`, () => format.format(value, unit));
    }
  }
  for (const type of ['conjunction', 'disjunction', 'unit']) {
    const format = new Intl.ListFormat(locale, { type });
    for (const list of [['a'], ['a', 'b'], ['a', 'b', 'c']])
      tell('list', locale, type, list, () => format.format(list));
  }
  const collator = new Intl.Collator(locale);
  tell('sort', locale, {}, '', () =>
    ['z', 'a', 'Z', 'ä', 'ö', 'o', '10', '2', 'é', 'e', 'ß', 'ss', 'ñ', 'n', 'å']
      .sort(collator.compare)
      .join(' '),
  );
  tell('sort', locale, { numeric: true }, '', () =>
    ['10', '2', 'a10', 'a2'].sort(new Intl.Collator(locale, { numeric: true }).compare).join(' '),
  );
  for (const [type, codes] of Object.entries({
    region: ['US', 'DE', 'JP'],
    language: ['en', 'de-AT', 'zh-Hant'],
    currency: ['USD', 'EUR', 'JPY'],
    script: ['Latn', 'Arab'],
  })) {
    const names = new Intl.DisplayNames(locale, { type });
    for (const code of codes) tell('name', locale, type, code, () => names.of(code));
  }
  tell('words', locale, {}, '', () =>
    [
      ...new Intl.Segmenter(locale, { granularity: 'word' }).segment(
        'Hello, wide world. Günther’s 3.14!',
      ),
    ]
      .map((s) => s.segment)
      .join('|'),
  );
  tell('locale', locale, {}, '', () =>
    [
      new Intl.Locale(locale).maximize(),
      new Intl.Locale(locale).minimize(),
      new Intl.Locale(locale).language,
    ].join(' '),
  );
  tell('resolved', locale, {}, '', () =>
    JSON.stringify([
      new Intl.NumberFormat(locale).resolvedOptions(),
      new Intl.DateTimeFormat(locale, { timeZone: 'UTC', hour: 'numeric' }).resolvedOptions(),
      new Intl.Collator(locale).resolvedOptions(),
    ]),
  );
}
