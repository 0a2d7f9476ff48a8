'use strict';
// How errors are told at the prompt.

const FRAME = /^ {4}at /;

// Frames of the prompt itself, and what lies below it, say nothing to its user.
function ownFrames(stack) {
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => FRAME.test(line));
  if (first === -1) return stack;
  const last = lines.findLastIndex((line) => FRAME.test(line) && /\bREPL\d+:\d+/.test(line));
  return last === -1 ? stack : lines.slice(0, last).join('\n');
}

function tidyStack(error, isStrict) {
  if (typeof error.stack !== 'string') return;
  if (error.name === 'SyntaxError') {
    error.stack = error.stack.replace(/^\s+at\s.*\n?/gm, '').replace(/^REPL\d+:\d+\r?\n/, '');
    return;
  }
  const { ErrorPrepareStackTrace } = require('internal/errors/stacks');
  const { prepareStackTrace } = Error;
  if (typeof prepareStackTrace !== 'function' || prepareStackTrace === ErrorPrepareStackTrace)
    error.stack = ownFrames(error.stack);
  if (isStrict) error.stack = error.stack.replace(/(\s+at\s+REPL\d+:)(\d+)/, '$1$2');
}

// The text of what was thrown, with "Uncaught" before its first line.
function describe(error, server) {
  let text = server.writer(error);
  const isError = binding('util').isError(error);
  if (isError && text[0] === '[' && text.at(-1) === ']') text = text.slice(1, -1);
  const lines = text.split(/(?<=\n)/);
  const at = lines.findIndex((line) => /^\[?([A-Z][a-z0-9_]*)*Error/.test(line));
  if (at === -1) return `Uncaught${lines.length === 1 ? ' ' : ':\n'}${text}`;
  const { breakLength } = require('internal/repl/writer').writer.options;
  lines[at] = `Uncaught${breakLength >= lines[at].length ? ' ' : ':\n'}${lines[at]}`;
  return lines.join('');
}

module.exports = { tidyStack, describe };
