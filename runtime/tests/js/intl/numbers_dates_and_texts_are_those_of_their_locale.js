'use strict';
// What every release of ICU's tables has said for years.
const tell = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
};
tell(() => (1e6).toLocaleString());
tell(() => (1234567.891).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' }));
tell(() => new Intl.NumberFormat('en-IN').format(12345678));
tell(() => new Intl.NumberFormat('ja-JP', { style: 'currency', currency: 'JPY' }).format(5000));
tell(() => new Intl.NumberFormat('en', { notation: 'compact' }).format(1234567));
tell(() => new Intl.NumberFormat('en').formatToParts(-1234.5));
tell(() => 12345678901234567890n.toLocaleString('de-DE'));
for (const timeZone of ['Asia/Tokyo', 'America/New_York', 'Europe/Berlin', 'UTC']) {
  tell(() => new Date(0).toLocaleString('en-US', { timeZone }));
}
tell(() => new Date(0).toLocaleDateString('de-DE', { timeZone: 'UTC', dateStyle: 'full' }));
tell(() => new Date(0).toLocaleString('zh-CN', { timeZone: 'UTC' }));
tell(() => new Date(NaN).toLocaleString());
tell(() => new Intl.PluralRules('ru').select(3));
tell(() => new Intl.ListFormat('de').format(['a', 'b', 'c']));
tell(() => new Intl.RelativeTimeFormat('fr', { numeric: 'auto' }).format(-1, 'day'));
tell(() => new Intl.DisplayNames('ja', { type: 'region' }).of('US'));
tell(() => new Intl.Locale('zh-TW').maximize().toString());
tell(() => ['ä'.localeCompare('z', 'sv'), 'ä'.localeCompare('z', 'de')]);
tell(() => ['10', '9', '1'].sort(new Intl.Collator('en', { numeric: true }).compare));
tell(() => [...new Intl.Segmenter('en', { granularity: 'word' }).segment('Two words')].length);
tell(() => ['i'.toLocaleUpperCase('tr'), 'I'.toLocaleLowerCase('tr')]);
tell(() => [1234.5, 7].toLocaleString('de-DE'));
tell(() => new Intl.NumberFormat('en', { style: 'bogus' }));
tell(() => new Intl.NumberFormat('en', { style: 'currency' }));
tell(() => new Intl.NumberFormat('en', { maximumFractionDigits: 200 }));
tell(() => new Intl.NumberFormat('not a tag'));
tell(() => new Intl.DateTimeFormat('en', { timeZone: 'Mars/Olympus' }));
tell(() => Intl.PluralRules());
tell(() => Intl.getCanonicalLocales(['EN-us', 'de-de', 'en-US']));
tell(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).resolvedOptions());
