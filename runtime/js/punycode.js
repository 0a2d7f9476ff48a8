'use strict';
// RFC 3492: names with any letters as ASCII, and back.

const BASE = 36;

function adapt(delta, count, first) {
  let k = 0;
  delta = first ? Math.floor(delta / 700) : delta >> 1;
  delta += Math.floor(delta / count);
  for (; delta > 455; k += BASE) delta = Math.floor(delta / 35);
  return Math.floor(k + 36 * delta / (delta + 38));
}

const digit = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22);

function encode(text) {
  const points = Array.from(text, (c) => c.codePointAt(0));
  const basic = points.filter((c) => c < 128);
  let out = String.fromCharCode(...basic);
  let handled = basic.length;
  if (handled > 0) out += '-';
  let n = 128;
  let delta = 0;
  let bias = 72;
  while (handled < points.length) {
    const next = Math.min(...points.filter((c) => c >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta++;
      if (point !== n) continue;
      let q = delta;
      for (let k = BASE; ; k += BASE) {
        const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        if (q < t) break;
        out += digit(t + (q - t) % (BASE - t));
        q = Math.floor((q - t) / (BASE - t));
      }
      out += digit(q);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return out;
}

function decode(text) {
  const at = text.lastIndexOf('-');
  for (let i = 0; i < at; i++) {
    if (text.charCodeAt(i) >= 0x80) {
      throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
    }
  }
  const out = at > 0 ? Array.from(text.slice(0, at), (c) => c.charCodeAt(0)) : [];
  let n = 128;
  let i = 0;
  let bias = 72;
  for (let index = at > 0 ? at + 1 : 0; index < text.length;) {
    const before = i;
    let weight = 1;
    for (let k = BASE; ; k += BASE) {
      if (index >= text.length) throw new RangeError('Invalid input');
      const c = text.charCodeAt(index++) | 32;
      const value = c >= 97 && c <= 122 ? c - 97 : c >= 48 && c <= 57 ? c - 22 : BASE;
      if (value >= BASE) throw new RangeError('Invalid input');
      i += value * weight;
      const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (value < t) break;
      weight *= BASE - t;
    }
    bias = adapt(i - before, out.length + 1, before === 0);
    n += Math.floor(i / (out.length + 1));
    i %= out.length + 1;
    out.splice(i++, 0, n);
  }
  return String.fromCodePoint(...out);
}

// Each label of a name; of an address of e-mail, what stands before the @ stays.
function each(name, work) {
  const at = name.indexOf('@') + 1;
  const domain = at === 0 ? name : name.slice(at).split('@')[0];
  return name.slice(0, at) + domain.split(/[.\u3002\uff0e\uff61]/).map(work).join('.');
}

if (process.execArgv.length > 0 && require('internal/boot/options').isOn('pending-deprecation')) {
  process.emitWarning('The `punycode` module is deprecated. Please use a userland alternative ' +
    'instead.', 'DeprecationWarning', 'DEP0040');
}

module.exports = {
  version: '2.1.0',
  encode,
  decode,
  toASCII: (name) =>
    each(name, (label) => (/[^\x00-\x7f]/.test(label) ? `xn--${encode(label)}` : label)),
  toUnicode: (name) =>
    each(name, (label) => (/^xn--/i.test(label) ? decode(label.slice(4).toLowerCase()) : label)),
  ucs2: {
    encode: (points) => String.fromCodePoint(...points),
    decode: (text) => Array.from(text, (c) => c.codePointAt(0)),
  },
};
