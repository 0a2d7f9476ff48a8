'use strict';
// What was typed at the prompt: is it whole, what does it mean, how are its errors told.

const native = binding('modules');
const { inspect } = require('internal/inspect');
const { withCode } = require('internal/errors');
const { translate } = require('internal/syntax');

function placeOf(error) {
  const match = /\n {4}at REPL\d+:(\d+):(\d+)/.exec(error.stack);
  return match === null ? undefined : { line: +match[1], column: +match[2] };
}

// Input that ends too early is not wrong: more lines may follow.
function isIncomplete(error, code) {
  if (!(error instanceof SyntaxError)) return false;
  if (/unexpected end of (template|comment)/.test(error.message)) return true;
  const place = placeOf(error);
  if (place === undefined) return false;
  const before = code.split('\n').slice(0, place.line - 1).join('\n').length +
    (place.line > 1 ? 1 : 0) + place.column - 1;
  if (/unexpected end of string/.test(error.message)) {
    return code[before] === '`' || /\\$/.test(code);
  }
  return code.slice(before).trim() === '';
}

// An object at the start of a line is meant as one, not as a block.
function asExpression(code) {
  return /^\s*\{[^]*\}\s*$/.test(code) && !/;\s*$/.test(code) ? `(${code})` : code;
}

function hasAwait(code) {
  return /\bawait\b/.test(code);
}

// Syntax errors are told with the line and a caret, in V8's words.
function withExcerpt(error, code) {
  if (!(error instanceof SyntaxError)) return error;
  const place = placeOf(error);
  if (place === undefined) return error;
  const message = translate(error.message);
  const redeclared = / has already been declared$/.test(message);
  const line = code.split('\n')[place.line - 1] ?? '';
  const told = new SyntaxError(message);
  told.stack = `SyntaxError: ${message}`;
  if (!redeclared) {
    Object.defineProperty(told, 'excerpt',
      { value: `${line}\n${' '.repeat(Math.max(place.column - 1, 0))}^\n\n` });
  }
  return told;
}

function describe(error, colors) {
  let text;
  if (error instanceof Error) {
    const frames = error.stack.split('\n').filter((line) => !/^ {4}at .*node:/.test(line));
    // The outermost frame is the prompt itself.
    if (/^ {4}at /.test(frames.at(-1))) frames.pop();
    error.stack = frames.join('\n');
    text = inspect(error, { colors }).replace(/^\[([^]*)\]$/, '$1');
  } else {
    text = inspect(error, { colors });
  }
  const excerpt = error instanceof Error && error.excerpt !== undefined ? error.excerpt : '';
  return `${excerpt}Uncaught${text.includes('\n') && !(error instanceof Error) ? ':\n' : ' '}` +
    `${text}\n`;
}

function interruption() {
  const error = withCode(Error, 'ERR_SCRIPT_EXECUTION_INTERRUPTED',
    'Script execution was interrupted by `SIGINT`');
  error.stack = error.stack.split('\n')[0];
  Object.defineProperty(error, 'code', { enumerable: false });
  return error;
}

// Names declared with let, const and class are no properties of the global object.
const declared = new Set();

function remember(code) {
  for (const match of code.matchAll(/^[ \t]*(?:let|const|class)\s+([A-Za-z_$][\w$]*)/gm)) {
    declared.add(match[1]);
  }
}

function complete(line) {
  const match = /(?:([\w$.]+)\.)?([\w$]*)$/.exec(line);
  let target = globalThis;
  try {
    if (match[1]) target = native.runScript(match[1], 'REPL');
  } catch {
    return [[], line];
  }
  if (target === null || target === undefined) return [[], line];
  const names = new Set();
  const add = (name) => {
    if (/^[A-Za-z_$][\w$]*$/.test(name) && name.startsWith(match[2])) names.add(name);
  };
  for (let at = Object(target); at !== null; at = Object.getPrototypeOf(at)) {
    Object.getOwnPropertyNames(at).forEach(add);
  }
  if (!match[1]) declared.forEach(add);
  const head = match[1] ? `${match[1]}.` : '';
  return [[...names].sort().map((name) => head + name), head + match[2]];
}

module.exports = {
  isIncomplete, asExpression, hasAwait, withExcerpt, describe, interruption, remember, complete,
};
