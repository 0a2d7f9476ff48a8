'use strict';
// What the reporters for people share: a line for each test, and its error.

const { inspect } = require('internal/inspect/inspect');

const UNWRAPPED = ['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection'];

function hasColors() {
  return require('internal/inspect/color_depth').showsColors(process.stdout);
}

function colors() {
  const isOn = hasColors();
  const code = (number) => (isOn ? `\u001b[${number}m` : '');
  return { isOn, green: code(32), red: code(31), gray: code(90), blue: code(34), white: code(39),
    reset: code(0) };
}

const SYMBOLS = { 'test:fail': '\u2716 ', 'test:pass': '\u2714 ', 'test:diagnostic': '\u2139 ',
  'arrow:right': '\u25b6 ', 'hyphen:minus': '\ufe63 ' };

function errorText(failed, indent) {
  if (!failed) return '';
  const shown = UNWRAPPED.includes(failed.failureType) && failed.cause !== undefined
    ? failed.cause : failed.message;
  const text = inspect(shown, { colors: hasColors(), breakLength: Infinity });
  return `\n${text.split('\n').map((line) => `${indent}  ${line}`).join('\n')}\n`;
}

// "✔ name (1.5ms) # SKIP"
function line(type, data, indent, hasChildren, prefix = '') {
  const c = colors();
  let color = type === 'test:fail' ? c.red : c.green;
  let symbol = SYMBOLS[type];
  const { skip, todo } = data;
  let note = '';
  if (skip !== undefined) {
    color = c.gray;
    symbol = SYMBOLS['hyphen:minus'];
    note = ` # ${typeof skip === 'string' && skip ? skip : 'SKIP'}`;
  } else if (todo !== undefined) {
    note = ` # ${typeof todo === 'string' && todo ? todo : 'todo'.toUpperCase()}`;
  }
  const duration = data.details?.duration_ms;
  const ms = duration ? ` ${c.gray}(${duration}ms)${c.white}` : '';
  const { error } = data.details ?? {};
  const isTold = error && error.failureType !== 'subtestsFailed';
  return `${prefix}${indent}${color}${symbol}${data.name}${ms}${note}${c.white}` +
    `${hasChildren || !isTold ? '\n' : errorText(error, indent)}`;
}

module.exports = { colors, SYMBOLS, line, errorText };
