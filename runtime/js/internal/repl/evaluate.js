'use strict';
// What was typed at the prompt: is it whole, what does it mean, how are its errors told.

const native = binding('modules');
const { withCode } = require('internal/errors/errors');
const { translate } = require('internal/errors/syntax');

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

// An object whose end is still to come.
function isUnfinishedObject(code, name, awaits) {
  const wrong = syntaxErrorOf(`(${code}`, name, awaits);
  return wrong !== undefined && isIncomplete(wrong, `(${code}`);
}

// A statement that awaits has no value unless it is an expression.
function hasNoValue(code) {
  const text = code.trim().replace(/;$/, '');
  if (!/^(?:for|while|do|if|switch|try)\b/.test(text)) return false;
  const end = text.lastIndexOf('}');
  return end === -1 ? !/;(?![^()]*\))/.test(text) : end === text.length - 1;
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

const TOKEN = new RegExp('^(?:[\\p{ID_Start}$_][\\p{ID_Continue}$]*|\\d[\\w.]*|' +
  '\'[^\']*\'|"[^"]*"|`[^`]*`|=>|[=!]==?|&&|\\|\\||\\?\\?|\\.\\.\\.|[^])', 'u');

function tokenAt(text) {
  return TOKEN.exec(text)?.[0] ?? '';
}

// The token that is not what the engine expected, as V8 names it.
function unexpected(code, { line, column }) {
  const rest = code.split('\n').slice(line - 1).join('\n').slice(column - 1).trimStart();
  if (rest === '') return 'Unexpected end of input';
  const [name] = /^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(rest) ?? [];
  if (name !== undefined) {
    const isWord = /^(?:else|in|of|case|default|catch|finally|instanceof|if|for)$/.test(name);
    return isWord ? `Unexpected token '${name}'` : `Unexpected identifier '${name}'`;
  }
  if (/^\d/.test(rest)) return 'Unexpected number';
  if (/^['"]/.test(rest)) return 'Unexpected string';
  if (rest[0] === '`') return 'Unexpected template string';
  return `Unexpected token '${tokenAt(rest)}'`;
}

// Syntax errors are told with the line and a caret, in V8's words.
function withExcerpt(error, code, ahead) {
  const place = placeOf(error) ?? { line: 1, column: 1 + ahead };
  if (place.line === 1) place.column -= ahead;
  let message = /^expecting '.*'$/.test(error.message) ? unexpected(code, place)
    : translate(error.message);
  const line = code.split('\n')[place.line - 1] ?? '';
  const better = /^\s*import\b/.test(line) ? asDynamicImport(line) : undefined;
  if (better !== undefined) {
    message = 'Cannot use import statement inside the Node.js REPL, alternatively use ' +
      `dynamic import: ${better}`;
  }
  const start = better === undefined ? Math.max(place.column - 1, 0) : line.search(/\S/);
  const carets = '^'.repeat(tokenAt(line.slice(start)).length || 1);
  const excerpt = `${line}\n${' '.repeat(start)}${carets}\n\n`;
  Object.defineProperty(error, 'message',
    { value: message, writable: true, configurable: true, enumerable: false });
  error.stack = `${excerpt}SyntaxError: ${message}`;
  return error;
}

function interruption() {
  const error = withCode(Error, INTERRUPTED, 'Script execution was interrupted by `SIGINT`');
  error.stack = error.stack.split('\n')[0];
  Object.defineProperty(error, 'code', { enumerable: false });
  return error;
}

function run(server, context, code, name, awaits) {
  const breaks = Boolean(server.breakEvalOnSigint);
  if (server.useGlobal) return native.runScript(code, name, awaits, false, breaks);
  const vm = require('vm');
  return vm[Symbol.for('phasor.await')](code, context, name, breaks, awaits);
}

// From the first line on, RegExp.$1 tells of the last match.
function prepare(server, context) {
  run(server, context, 'RegExp', 'REPL', false);
}

// The error of text that can't be a script.
function syntaxErrorOf(code, name, awaits) {
  try {
    native.runScript(code, name, awaits, true);
    return undefined;
  } catch (error) {
    return error;
  }
}

function hasAwait(code) {
  return /\bawait\b/.test(code);
}

// The eval of a server that was given none.
function defaultEval(server, code, context, name, done) {
  if (code === '\n') {
    done(null);
    return;
  }
  const awaits = hasAwait(code) && server.awaits;
  const start = server.replMode === STRICT ? "'use strict'; void 0; " : '';
  const wrapped = asExpression(code);
  let script = wrapped;
  let wrong = syntaxErrorOf(start + wrapped, name, awaits);
  if (wrong !== undefined && wrapped !== code) {
    script = code;
    wrong = syntaxErrorOf(start + code, name, awaits);
  }
  if (wrong !== undefined) {
    const isUnfinished = isIncomplete(wrong, start + code) ||
      (wrapped !== code && isUnfinishedObject(code, name, awaits));
    done(isUnfinished ? new Recoverable(wrong) : withExcerpt(wrong, code, start.length));
    return;
  }
  const wasRaw = server.breakEvalOnSigint && server.terminal && server._setRawMode(false);
  let value;
  try {
    value = run(server, context, start + script, name, awaits);
  } catch (error) {
    const failed = error?.code === INTERRUPTED ? interruption() : told(error, name);
    // A domain that the script has entered gets it; the outermost is the prompt's own.
    const { domain } = process;
    if (domain) {
      domain.emit('error', failed);
      domain.exit();
    } else {
      done(failed);
    }
    return;
  } finally {
    if (wasRaw) server._setRawMode(true);
  }
  remember(server, code);
  if (awaits && hasNoValue(code)) server.await(Promise.resolve(value).then(() => {}), done);
  else if (awaits) server.await(value, done);
  else done(null, value);
}

// A name that is declared twice is an error of the script as a whole.
function told(error, name) {
  if (!binding('util').isError(error) || error.name !== 'SyntaxError') return error;
  const message = translate(error.message);
  if (message === error.message || !error.stack.includes(`at ${name}:`)) return error;
  Object.defineProperty(error, 'message',
    { value: message, writable: true, configurable: true, enumerable: false });
  error.stack = `SyntaxError: ${message}`;
  return error;
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

module.exports = { Recoverable, STRICT, SLOPPY, nextName, defaultEval, prepare, interruption,
  isValidSyntax, declaredAt };
