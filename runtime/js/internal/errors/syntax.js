'use strict';
// Syntax errors in the words that V8 uses, without the frames of the loader.

const AWAIT = 'await is only valid in async functions and the top level bodies of modules';

const WORDS = [
  [/^unexpected end of input$/i, 'Unexpected end of input'],
  [/^Unexpected string template$/, 'Unexpected template string'],
  [/^expecting '(.*)'$/, "Unexpected token, expected '$1'"],
  [/^unexpected token: '(.*)'$/, "Unexpected token '$1'"],
  [/^redeclaration of '(.*)'$/, "Identifier '$1' has already been declared"],
  [/^await is only valid.*$/, AWAIT],
  [
    /^function declarations can't appear in single-statement context$/,
    'In strict mode code, functions can only be declared at top level or inside a block.',
  ],
  [/^unexpected end of (string|comment|regexp)$/, 'Invalid or unexpected token'],
];

function translate(message) {
  for (const [pattern, words] of WORDS) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return message;
}

// The first frame is the place in the source; what lies below it stays.
function tidied(error, better = error) {
  if (!(error instanceof SyntaxError) || 'place' in error) return error;
  let place = /\n {4}at (.*:\d+:\d+)/.exec(better.stack)?.[1];
  let message = translate(better.message);
  const atAwait = place && require('internal/errors/awaits').placeOf(message, place);
  if (atAwait !== undefined) [place, message] = [atAwait, AWAIT];
  Object.defineProperty(error, 'message',
    { value: message, writable: true, configurable: true, enumerable: false });
  if (place) Object.defineProperty(error, 'place', { value: place, enumerable: false });
  const frames = error.stack.split('\n').filter((line) => line.startsWith('    at '));
  error.stack = [`SyntaxError: ${message}`, ...frames.slice(1)].join('\n');
  return error;
}

function checked(work) {
  try {
    return work();
  } catch (error) {
    throw tidied(error);
  }
}

// A CommonJS file is compiled inside a function. An error behind its last line is one of that
// function's end; as a plain script the file shows the place that is meant.
function compileFunction(source, filename) {
  const native = binding('modules');
  try {
    return native.compileFunction(source, filename);
  } catch (error) {
    const place = /\n {4}at .*:(\d+):\d+/.exec(error.stack);
    if (error instanceof SyntaxError && place && +place[1] > source.split('\n').length) {
      try {
        native.runScript(source, filename, false, true);
      } catch (better) {
        throw tidied(error, better);
      }
    }
    throw tidied(error);
  }
}

module.exports = { checked, compileFunction, tidied, translate };
