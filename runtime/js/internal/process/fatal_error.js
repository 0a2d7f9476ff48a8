'use strict';
// How an error that ends the process is printed: the line it came from with a caret, the stack.

const native = binding('process');

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
  const frame = frameOf(error);
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
  const word = isImport ? 'import' : WORD.exec(message)?.[1] ?? ' ';
  const start = isImport ? source.lastIndexOf(word, at) : at;
  return source.startsWith(word, start) ? [start, word.length] : [at, 1];
}

function excerptAt({ file, line, column }, message = '') {
  const { text: source, column: own } =
    require('internal/modules/sources').lineAt(file, line, column);
  if (source === undefined) return `${file}:${line}\n`;
  let at = Math.max(own - 1, 0);
  // The engine marks the place of the call; the statement that throws is what a reader looks for.
  const thrown = source.lastIndexOf('throw ', at);
  if (thrown !== -1) at = thrown;
  const [start, length] = wordOf(message, source, at);
  const pad = source.slice(0, start).replace(/[^\t]/g, ' ');
  return `${file}:${line}\n${source}\n${pad}${'^'.repeat(length)}\n\n`;
}

function isError(value) {
  return binding('util').isError(value);
}

function describe(error) {
  const { inspect } = require('internal/inspect/inspect');
  if (!isError(error)) {
    const text = typeof error === 'string' ? error : inspect(error, { colors: colors() });
    return `${text}\n(Use \`node --trace-uncaught ...\`` +
      ' to show where the exception was thrown)';
  }
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
  native.write(2, `${text}\n\nNode.js ${process.version} (phasor)\n`);
}

module.exports = { printFatal, describe, excerpt, decorate };
