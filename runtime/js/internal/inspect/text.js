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

// Two columns: East Asian letters and signs, and what is shown as a picture.
let wide;
const wideCharacters = () => new RegExp(
  '[\\u1100-\\u115f\\u2329\\u232a\\u2630-\\u2637\\u268a-\\u268f\\u2e80-\\u303e' +
  '\\u3041-\\u3247\\u3250-\\ua4c6\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19' +
  '\\ufe30-\\ufe6b\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{16ff6}\\u{17000}-\\u{18df2}' +
  '\\u{1aff0}-\\u{1b2fb}\\u{1d300}-\\u{1d376}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}' +
  '\\p{Emoji_Presentation}]', 'u');
const isFlat = (character) => /[\x00-\x1f\x7f-\x9f\p{Mn}\p{Me}]|(?!\xad)\p{Cf}/u.test(character);

// Columns on a terminal.
function width(text) {
  text = stripColors(text);
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text.normalize('NFC')) {
    if (character < '\u0300') columns += isFlat(character) ? 0 : 1;
    else if ((wide ??= wideCharacters()).test(character)) columns += 2;
    else if (!isFlat(character)) columns++;
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
  const isPlain = !separator || !Number.isFinite(value) || Math.abs(value) >= 1e21;
  if (isPlain) return Object.is(value, -0) ? '-0' : `${value}`;
  const [whole, fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '_');
  return fraction === undefined ? grouped
    : `${grouped}.${fraction.replace(/(\d{3})(?=\d)/g, '$1_')}`;
}

module.exports = { colors, styles, styled, stripColors, width, quote, numberText };
