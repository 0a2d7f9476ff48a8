// Numbers and times as people read them. Times are in nanoseconds everywhere in the page.

const UNITS = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
  [1, 'ns'],
];

function threeDigits(value) {
  if (value >= 99.95) return Math.round(value).toLocaleString('en');
  if (value >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

// A length of time: "182 ms", "4.21 µs", "0".
export function formatDuration(ns) {
  if (!(ns > 0)) return ns < 0 ? '-' + formatDuration(-ns) : '0';
  if (ns < 1000) return `${Math.round(ns)} ns`;
  let [size, unit] = UNITS.find(([limit]) => ns >= limit);
  if (ns / size >= 999.5 && size < 1e9)
    [size, unit] = UNITS[UNITS.findIndex((u) => u[0] === size) - 1];
  return `${threeDigits(ns / size)} ${unit}`;
}

// A point in time, precise enough to tell points that are `resolution` apart.
export function formatTime(ns, resolution = 1e6) {
  let [size, unit] = UNITS[1];
  if (ns >= 1e9 || resolution >= 1e8) [size, unit] = UNITS[0];
  else if (ns < 1e6 && resolution <= 5e3) [size, unit] = UNITS[2];
  const digits = Math.ceil(Math.log10(size / Math.max(resolution, 1)));
  return `${(ns / size).toFixed(Math.min(9, Math.max(0, digits)))} ${unit}`;
}

// A point in time as a sentence tells it.
export function formatMoment(ns) {
  return formatTime(ns, ns >= 1e9 ? 1e6 : ns >= 1e6 ? 1e4 : 1e2);
}

export function formatCount(number) {
  return number.toLocaleString('en');
}

// "1 callback", "2 callbacks".
export function plural(number, one, many = one + 's') {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

export function formatShare(part) {
  if (part > 0 && part < 0.001) return '< 0.1 %';
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const WIDE = 0x2e80; // From here on letters take two columns.

// As much of a text as fits; '' if that would say nothing.
export function cutText(text, columns) {
  let used = 0;
  let kept = 0;
  if (columns < 2) return '';
  for (const letter of text) {
    used += letter.codePointAt(0) < WIDE ? 1 : 2;
    if (used > columns) return text.slice(0, kept) + '…';
    if (used < columns) kept += letter.length;
  }
  return text;
}
