'use strict';
// Syntax errors in the words that V8 uses, without the frames of the loader.

const WORDS = [
  [/^unexpected token in expression: '(.*)'$/, "Unexpected token '$1'"],
  [/^unexpected end of input$/i, 'Unexpected end of input'],
  [/^unexpected token in expression: \(end of file\)$/, 'Unexpected end of input'],
  [/^expecting '(.*)'$/, "Unexpected token, expected '$1'"],
  [/^unexpected token: '(.*)'$/, "Unexpected token '$1'"],
  [
    /^invalid redefinition of (lexical|global) identifier '?(.*?)'?$/,
    "Identifier '$2' has already been declared",
  ],
  [
    /^await is only valid.*$/,
    'await is only valid in async functions and the top level bodies of modules',
  ],
  [/^unexpected end of (string|comment|regexp)$/, 'Invalid or unexpected token'],
];

function translate(message) {
  for (const [pattern, words] of WORDS) {
    if (pattern.test(message)) return message.replace(pattern, words);
  }
  return message;
}

function checked(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof SyntaxError) {
      const place = /\n {4}at (.*:\d+:\d+)/.exec(error.stack);
      const message = translate(error.message);
      Object.defineProperty(error, 'message',
        { value: message, writable: true, configurable: true, enumerable: false });
      if (place) Object.defineProperty(error, 'place', { value: place[1], enumerable: false });
      const frames = error.stack.split('\n').filter((line) => /^ {4}at .*node:/.test(line));
      error.stack = [`SyntaxError: ${message}`, ...frames].join('\n');
    }
    throw error;
  }
}

module.exports = { checked, translate };
