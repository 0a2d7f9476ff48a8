'use strict';
// What was typed at the prompt: is it whole, what does it mean, how are its errors told.

const native = binding('modules');
const { withCode } = require('internal/errors');
const { translate } = require('internal/syntax');

const INTERRUPTED = 'ERR_SCRIPT_EXECUTION_INTERRUPTED';
const STRICT = Symbol('repl-strict');
const SLOPPY = Symbol('repl-sloppy');

class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
}

let scripts = 0;
const nextName = () => `REPL${++scripts}`;

function placeOf(error) {
  const match = /\n {4}at (?:.*\()?REPL\d+:(\d+):(\d+)/.exec(error.stack);
  return match === null ? undefined : { line: +match[1], column: +match[2] };
}

function isSyntaxError(error) {
  return binding('util').isError(error) && error.name === 'SyntaxError';
}

// Input that ends too early is not wrong: more lines may follow.
function isIncomplete(error, code) {
  if (!isSyntaxError(error)) return false;
  if (/unexpected end of (template|comment)/.test(error.message)) return true;
  const place = placeOf(error);
  if (place === undefined) return false;
  const lines = code.split('\n');
  const before = lines.slice(0, place.line - 1).join('\n').length +
    (place.line > 1 ? 1 : 0) + place.column - 1;
  if (/unexpected end of string/.test(error.message)) {
    return code[before] === '`' || /\\\n?$/.test(code);
  }
  return code.slice(before).trim() === '';
}

// An object at the start of a line is meant as one, not as a block.
function asExpression(code) {
  return /^\s*\{/.test(code) && !/;\s*$/.test(code) ? `(${code.trim()})\n` : code;
}

// "import x from 'y'" is told as the import() that would do it.
function asDynamicImport(line) {
  const match = /^\s*import\s*(?:([^'"]*?)\s*from\s*)?(['"])(.*?)\2/.exec(line);
  if (!match) return undefined;
  const [, names, , specifier] = match;
  if (!names) return `await import(${JSON.stringify(specifier)});`;
  const all = /^\*\s+as\s+([\w$]+)$/.exec(names);
  if (all) return `const ${all[1]} = await import(${JSON.stringify(specifier)});`;
  const parts = [];
  const [, first, rest] = /^([\w$]*)\s*,?\s*(?:\{([^]*)\})?$/.exec(names) ?? [];
  if (first) parts.push(`default: ${first}`);
  for (const part of (rest ?? '').split(',')) {
    if (part.trim()) parts.push(part.trim().replace(/\s+as\s+/, ': '));
  }
  return `const { ${parts.join(', ')} } = await import(${JSON.stringify(specifier)});`;
}

// Syntax errors are told with the line and a caret, in V8's words.
function withExcerpt(error, code) {
  const place = placeOf(error);
  if (place === undefined) return error;
  let message = translate(error.message);
  const line = code.split('\n')[place.line - 1] ?? '';
  const better = /^\s*import\b/.test(line) ? asDynamicImport(line) : undefined;
  if (better !== undefined) {
    message = 'Cannot use import statement inside the Node.js REPL, alternatively use ' +
      `dynamic import: ${better}`;
  }
  const isToldAlone = / has already been declared$/.test(message);
  const excerpt = `${line}\n${' '.repeat(Math.max(place.column - 1, 0))}^\n\n`;
  Object.defineProperty(error, 'message',
    { value: message, writable: true, configurable: true, enumerable: false });
  error.stack = `${isToldAlone ? '' : excerpt}SyntaxError: ${message}`;
  return error;
}

function interruption() {
  const error = withCode(Error, INTERRUPTED, 'Script execution was interrupted by `SIGINT`');
  error.stack = error.stack.split('\n')[0];
  Object.defineProperty(error, 'code', { enumerable: false });
  return error;
}

function runner(server, context, code, name, awaits) {
  const breaks = Boolean(server.breakEvalOnSigint);
  if (server.useGlobal) return () => native.runScript(code, name, awaits, false, breaks);
  const vm = require('vm');
  return () => vm.runInContext(code, context,
    { filename: name, ...breaks ? { breakOnSigint: true } : {} });
}

// The value of the script, or a SyntaxError that says whether more may follow.
function runOnce(server, context, code, name, awaits) {
  const isStrict = server.replMode === STRICT;
  const whole = isStrict ? `'use strict'; void 0; ${code}` : code;
  try {
    return runner(server, context, whole, name, awaits)();
  } catch (error) {
    if (error?.code === INTERRUPTED) throw interruption();
    throw error;
  }
}

function isOwnSyntaxError(error, name) {
  return isSyntaxError(error) && new RegExp(`\n {4}at ${name}:\\d+:\\d+`).test(error.stack) &&
    !/\n {4}at (?:eval|RegExp|new |parse|JSON)/.test(error.stack);
}

function hasAwait(code) {
  return /\bawait\b/.test(code);
}

function evaluate(server, code, context, name, awaits) {
  const wrapped = asExpression(code);
  if (wrapped !== code) {
    try {
      return runOnce(server, context, wrapped, name, awaits);
    } catch (error) {
      if (!isOwnSyntaxError(error, name)) throw error;
    }
  }
  return runOnce(server, context, code, name, awaits);
}

// The eval of a server that was given none.
function defaultEval(server, code, context, name, done) {
  if (code === '\n') {
    done(null);
    return;
  }
  const awaits = hasAwait(code) && server.awaits && server.useGlobal;
  const wasRaw = server.breakEvalOnSigint && server.terminal && server._setRawMode(false);
  let value;
  try {
    value = evaluate(server, code, context, name, awaits);
  } catch (error) {
    const isOwn = isOwnSyntaxError(error, name);
    if (isOwn && isIncomplete(error, code)) done(new Recoverable(error));
    else done(isOwn ? withExcerpt(error, code) : error);
    return;
  } finally {
    if (wasRaw) server._setRawMode(true);
  }
  remember(server, code);
  if (awaits) server.await(value, done);
  else done(null, value);
}

// Names declared with let, const and class are no properties of the global object.
const declared = new WeakMap();

function declaredAt(server) {
  return [...declared.get(server) ?? []];
}

function remember(server, code) {
  for (const match of code.matchAll(/^[ \t]*(?:let|const|class)\s+([A-Za-z_$][\w$]*)/gm)) {
    if (!declared.has(server)) declared.set(server, new Set());
    declared.get(server).add(match[1]);
  }
}

function isValidSyntax(code) {
  const compiles = (text) => {
    try {
      native.runScript(text, 'REPL', true, true);
      return true;
    } catch {
      return false;
    }
  };
  return compiles(code) || compiles(`_=${code}`);
}

module.exports = { Recoverable, STRICT, SLOPPY, nextName, defaultEval, interruption,
  isValidSyntax, declaredAt };
