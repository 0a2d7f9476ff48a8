'use strict';
// How an error that ends the process is printed: the line it came from with a caret, the stack.

const native = binding('process');
const { mapping } = require('internal/errors/stacks');

// The place of the statement that threw, unless that is the runtime's.
function placeOfThrow(error) {
  const { lastThrow } = require('internal/process/process');
  const [file, line, at] = (lastThrow.error === error ? lastThrow.place : undefined) ?? [];
  if (file === undefined || /^(node:|phasor:|<|$)/.test(file)) return undefined;
  const column = line === 1 ? binding('modules').firstLineColumn(file, at) : at;
  const place = { file, line, column, isThrow: true };
  return mapping.frames === undefined ? place
    : require('internal/errors/source_map').originOf(place) ?? place;
}

function colors() {
  return require('internal/console/console').colorful(2);
}

function frameOf(error) {
  const place = typeof error.place === 'string' ? `    at ${error.place}\n` : '';
  const stack = place + (typeof error.stack === 'string' ? error.stack : '');
  for (const line of stack.split('\n')) {
    const match = /^ {4}at (?:.*\()?((?:file:\/\/)?\/[^()]*|\[eval\]|\[stdin\]):(\d+):(\d+)\)?$/
      .exec(line);
    if (match) return { file: match[1], line: +match[2], column: +match[3] };
  }
  return undefined;
}

const decorated = new WeakSet(); // errors whose stack begins with the excerpt

// The first frame in code that is not the runtime's, whatever its file is called.
function anyFrameOf(error) {
  const place = typeof error.place === 'string' ? `    at ${error.place}\n` : '';
  for (const line of `${place}${error.stack}`.split('\n')) {
    const match = /^ {4}at (?:.* \()?([^()]+):(\d+):(\d+)\)?$/.exec(line);
    if (match && !match[1].startsWith('node:'))
      return { file: match[1], line: +match[2], column: +match[3] };
  }
  return undefined;
}

// What vm throws tells in its stack where that was.
function decorate(error) {
  if (!isError(error) || decorated.has(error) || typeof error.stack !== 'string') return;
  const frame = anyFrameOf(error);
  if (frame === undefined) return;
  const stack = excerptAt(frame) + error.stack;
  decorated.add(error);
  Object.defineProperty(error, 'stack',
    { value: stack, writable: true, enumerable: false, configurable: true });
}

// "file:line", the source line, and a caret below the place.
function excerpt(error) {
  // It stands there already.
  if (decorated.has(error) || String(error.stack).startsWith('file://')) return '';
  const frame = placeOfThrow(error) ?? frameOf(error);
  if (frame === undefined) {
    // Thrown by the runtime with nothing of the program below it.
    const own = /^ {4}at (?:.*\()?(node:[^()]*:\d+):\d+\)?$/m.exec(String(error.stack));
    return own === null ? '' : `${own[1]}\n  throw err;\n  ^\n\n`;
  }
  return excerptAt(frame, error instanceof SyntaxError ? String(error.message) : '');
}

const WORD = /^Unexpected (?:token|identifier|strict mode reserved word) '(.*)'$/;

// The word that a syntax error is about: [where, its length].
function wordOf(message, source, at) {
  const isImport = message === 'Cannot use import statement outside a module';
  const word = isImport ? 'import' : message.startsWith('await is only valid') ? 'await'
    : WORD.exec(message)?.[1] ?? ' ';
  const start = isImport ? source.lastIndexOf(word, at) : at;
  return source.startsWith(word, start) ? [start, word.length] : [at, 1];
}

// The line of a place, and where in it; the line of what is mapped is known already.
function lineOf({ file, line, column, text }) {
  return text === undefined ? require('internal/modules/sources').lineAt(file, line, column)
    : { text, column };
}

function excerptAt(place, message = '') {
  const { file, line, isThrow, isMapped } = place;
  const { text: source, column } = lineOf(place);
  if (source === undefined) return `${file}:${line}\n`;
  let at = Math.max(column - 1, 0);
  // The engine marks the place of the call; the statement that throws is what a reader looks for.
  const thrown = isThrow ? -1 : source.lastIndexOf('throw ', at);
  if (thrown !== -1) at = thrown;
  const [start, length] = wordOf(message, source, at);
  const pad = source.slice(0, start).replace(/[^\t]/g, ' ');
  return `${file}:${line}\n${source}\n${pad}${'^'.repeat(length)}\n\n${isMapped ? '\n' : ''}`;
}

function isError(value) {
  return binding('util').isError(value);
}

const isOn = (option) => require('internal/boot/options').isOn(option);
const HINT = '(Use `node --trace-uncaught ...` to show where the exception was thrown)';

// Whether an object lets itself be asked for what errors have.
function canBeAsked(object) {
  try {
    return [object.stack, object.name, object.message].length > 0;
  } catch {
    return false;
  }
}

// A value that is no error, below the line that threw it.
function describeValue(value) {
  const { inspect } = require('internal/inspect/inspect');
  const place = placeOfThrow(value);
  const lines = place === undefined ? '' : excerptAt(place).replace(/\n+$/, '\n');
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const isPlain = isObject && canBeAsked(value);
  const text = typeof value === 'string' ? value
    : isObject && !isPlain ? '[object Object]' : inspect(value, { colors: colors() });
  // Code that is no file is shown as vm shows it.
  if (isPlain && place !== undefined && !/^(\/|file:)/.test(place.file)) return `${lines}\n${text}`;
  const shown = `${lines === '' ? '' : '\n'}${lines}${text}`;
  return isPlain || isOn('trace-uncaught') ? shown : `${shown}\n${HINT}`;
}

// Where an error came from that was emitted and that nobody listened for.
function emissionOf(error) {
  const emission = require('internal/events/emissions').get(error);
  if (emission === undefined) return '';
  const { emitter, stack } = emission;
  const own = stack.split('\n').filter((line) => line.startsWith('    at '));
  const others = error.stack.split('\n');
  let count = 0; // of the frames below that are the same
  while (count < own.length && own.at(-1 - count) === others.at(-1 - count)) count++;
  const name = emitter.constructor?.name;
  const lines = count > 1 ? [...own.slice(0, own.length - count),
    '    [... lines matching original stack trace ...]'] : own;
  return `\nEmitted 'error' event${
    name && name !== 'EventEmitter' ? ` on ${name} instance` : ''} at:\n${lines.join('\n')}`;
}

// What was emitted shows that in its stack.
function withEmission(error) {
  try {
    const text = emissionOf(error);
    if (text !== '') {
      Object.defineProperty(error, 'stack',
        { value: `${error.stack}${text}`, writable: true, enumerable: false, configurable: true });
    }
  } catch {
    // It is shown as it is.
  }
}

function describe(error) {
  if (!isError(error)) return describeValue(error);
  const { inspect } = require('internal/inspect/inspect');
  withEmission(error);
  let text;
  try {
    text = inspect(error, { colors: colors() });
  } catch {
    text = String(error.stack);
  }
  // A script that does not compile has no frames; its error is shown as others are.
  return typeof error.place === 'string' ? text.replace(/^\[(SyntaxError: .*)\]/, '$1') : text;
}

function printFatal(error) {
  let text;
  try {
    text = `${isError(error) ? excerpt(error) : ''}${describe(error)}`;
  } catch {
    text = 'Uncaught exception';
  }
  const place = isOn('trace-uncaught') ? placeOfThrow(error) : undefined;
  if (place !== undefined)
    text += `\nThrown at:\n    at ${place.file}:${place.line}:${place.column}\n`;
  if (isOn('extra-info-on-fatal-exception') !== false)
    text += `\n\nNode.js ${process.version}`;
  native.write(2, `${text}\n`);
}

module.exports = { printFatal, describe, excerpt, decorate };
