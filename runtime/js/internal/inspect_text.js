'use strict';
// The text of single values: quotes, colours, widths.

const colors = {
  reset: [0, 0], bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], blink: [5, 25],
  inverse: [7, 27], hidden: [8, 28], strikethrough: [9, 29], doubleunderline: [21, 24],
};
const HUES = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
HUES.forEach((hue, i) => { colors[hue.toLowerCase()] = [30 + i, 39]; });
HUES.forEach((hue, i) => { colors[`bg${hue}`] = [40 + i, 49]; });
colors.framed = [51, 54];
colors.overlined = [53, 55];
HUES.forEach((hue, i) => { colors[i ? `${hue.toLowerCase()}Bright` : 'gray'] = [90 + i, 39]; });
HUES.forEach((hue, i) => { colors[i ? `bg${hue}Bright` : 'bgGray'] = [100 + i, 49]; });
// Other names of some; they are not listed.
for (const [name, others] of [['gray', 'grey blackBright'], ['bgGray', 'bgGrey bgBlackBright'],
  ['dim', 'faint'], ['strikethrough', 'crossedout strikeThrough crossedOut'],
  ['hidden', 'conceal'], ['inverse', 'swapColors swapcolors'],
  ['doubleunderline', 'doubleUnderline']]) {
  for (const other of others.split(' ')) {
    Object.defineProperty(colors, other, {
      configurable: true,
      get() { return this[name]; },
      set(value) { this[name] = value; },
    });
  }
}

const styles = {
  special: 'cyan', number: 'yellow', bigint: 'yellow', boolean: 'yellow', undefined: 'grey',
  null: 'bold', string: 'green', symbol: 'green', date: 'magenta', regexp: 'red',
  module: 'underline',
};

function styled(text, style) {
  const color = colors[styles[style]];
  return color === undefined ? text : `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
}

const ANSI = /\u001b\[[0-9;]*m/g;

function stripColors(text) {
  return text.includes('\u001b') ? text.replace(ANSI, '') : text;
}

function isWide(code) {
  return code >= 0x1100 && (code <= 0x115f || (code >= 0x2e80 && code <= 0x3247) ||
    (code >= 0x3250 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0xa4c6) ||
    (code >= 0xa960 && code <= 0xa97c) || (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6b) ||
    (code >= 0xff01 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f900 && code <= 0x1f9ff) ||
    (code >= 0x20000 && code <= 0x3fffd));
}

function isZeroWidth(code) {
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) || (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x200b && code <= 0x200f) || (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f);
}

// Columns on a terminal.
function width(text) {
  text = stripColors(text);
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0);
    if (isWide(code)) columns += 2;
    else if (!isZeroWidth(code)) columns++;
  }
  return columns;
}

const PLAIN = /^[^\x00-\x1f\x27\x5c\x7f-\x9f\ud800-\udfff]*$/;
const SHORT = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 92: '\\\\' };

function escapeUnit(code, mark) {
  if (SHORT[code]) return SHORT[code];
  if (code === mark) return `\\${String.fromCharCode(mark)}`;
  return code < 0x100 ? `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
    : `\\u${code.toString(16).toUpperCase()}`;
}

function quote(text) {
  let mark = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) mark = '"';
    else if (!text.includes('`') && !text.includes('${')) mark = '`';
  }
  if (PLAIN.test(text)) return mark + text + mark;
  const markCode = mark.charCodeAt(0);
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lone = code >= 0xd800 && code <= 0xdfff &&
      !(code < 0xdc00 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00);
    if (!lone && code >= 0xd800 && code < 0xdc00) {
      out += text[i] + text[++i];
    } else if (lone || code < 0x20 || code === 92 || code === markCode ||
               (code >= 0x7f && code <= 0x9f)) {
      out += escapeUnit(code, markCode);
    } else {
      out += text[i];
    }
  }
  return mark + out + mark;
}

function numberText(value, separator) {
  if (!separator || !Number.isFinite(value)) return Object.is(value, -0) ? '-0' : `${value}`;
  const [whole, fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '_');
  return fraction === undefined ? grouped
    : `${grouped}.${fraction.replace(/(\d{3})(?=\d)/g, '$1_')}`;
}

module.exports = { colors, styles, styled, stripColors, width, quote, numberText };
