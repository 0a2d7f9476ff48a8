'use strict';
// The source of a call that a stack tells the place of.

// What stands before the last name of the function that is called, or before its bracket.
const NAME = '[\\p{ID_Start}$_][\\p{ID_Continue}$]*(?:\\[[^\\]\\n]*\\]|\\([^()\\n]*\\))*';
const NAMES = new RegExp(`(?:${NAME}[ \\t]*\\??\\.[ \\t]*)*(?:${NAME})?$`, 'u');
const QUOTED = ['\'', '"', '`'].map((mark) => `${mark}(?:\\\\.|[^${mark}\\\\])*${mark}`);
const TOKENS = new RegExp([...QUOTED, '//[^\\n]*', '/\\*.*?\\*/', '[()]'].join('|'), 'gs');

// Columns count bytes.
function indexOf(line, column) {
  return Buffer.from(line).subarray(0, column - 1).toString().length;
}

// From the first name to the bracket that closes the call that begins at a place.
function callIn(source, line, column) {
  const lines = source.split('\n').slice(line - 1);
  const at = indexOf(lines[0] ?? '', column);
  const before = source.split('\n').slice(0, line - 1).join('\n');
  const whole = `${before}${line > 1 ? '\n' : ''}${lines.join('\n')}`;
  const place = before.length + (line > 1 ? 1 : 0) + at;
  const from = place - NAMES.exec(whole.slice(Math.max(0, place - 500), place))[0].length;
  TOKENS.lastIndex = place;
  let depth = 0;
  for (let found = TOKENS.exec(whole); found !== null; found = TOKENS.exec(whole)) {
    if (found[0] === '(') depth++;
    else if (found[0] === ')' && --depth === 0)
      return withoutIndent(whole.slice(from, TOKENS.lastIndex),
        from - whole.lastIndexOf('\n', from - 1) - 1);
  }
  return undefined;
}

function withoutIndent(text, column) {
  const indent = new RegExp(`^[ \\t]{0,${column}}`);
  const [first, ...more] = text.split('\n');
  return [first, ...more.map((line) => `  ${line.replace(indent, '')}`)].join('\n');
}

// Characters that are not seen are written as in source text.
function visible(text) {
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, (character) =>
    (character === '\b' ? '\\b' : character === '\f' ? '\\f'
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

// Of the first frame.
function callAt(stack) {
  const frame = `${stack}`.split('\n', 2)[1];
  const match = /^ {4}at (?:.*\()?((?:file:\/\/)?\/[^()]*|\[eval\]):(\d+):(\d+)\)?$/.exec(frame);
  const source = match && require('internal/modules/sources').get(match[1]);
  const call = source ? callIn(source, +match[2], +match[3]) : undefined;
  return call === undefined ? undefined : visible(call);
}

module.exports = { callAt };
