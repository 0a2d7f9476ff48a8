'use strict';
// Results as TAP, version 13.

const { inspect } = require('internal/inspect/inspect');

// Failures whose cause is told instead of them.
const UNWRAPPED = ['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection'];
const indentOf = (nesting) => '    '.repeat(nesting);

function escape(text) {
  return text.replace(/[\\#]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')
    .replace(/\r/g, '\\r').replace(/\f/g, '\\f').replace(/[\b]/g, '\\b').replace(/\v/g, '\\v');
}

function resultLine(nesting, number, status, name, skip, todo) {
  let line = `${indentOf(nesting)}${status} ${number} - ${escape(name)}`;
  const named = (kind, why) => ` # ${kind}${typeof why === 'string' && why ? ` ${escape(why)}`
    : ''}`;
  if (skip !== undefined) line += named('SKIP', skip);
  else if (todo !== undefined) line += named('todo'.toUpperCase(), todo);
  return `${line}\n`;
}

// One field of the details, in YAML.
function field(indent, name, value) {
  if (value === undefined) return '';
  if (typeof value === 'string' && value.includes('\n')) {
    const lines = value.split('\n').map((line) => `${indent}    ${line}\n`).join('');
    return `${indent}  ${name}: |-\n${lines}`;
  }
  return `${indent}  ${name}: ${inspect(value, { depth: Infinity, maxStringLength: Infinity })}\n`;
}

function valueField(indent, name, value, seen = new Set()) {
  const isPlain = value !== null && typeof value === 'object' && !seen.has(value) &&
    [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
  if (!isPlain) return field(indent, name, value);
  seen.add(value);
  let text = `${indent}  ${name}:\n`;
  for (const [key, one] of Object.entries(value)) {
    text += valueField(`${indent}  `, key, one, seen);
  }
  return text;
}

function stackField(indent, error) {
  if (typeof error.stack !== 'string') return '';
  const frames = error.stack.split('\n').map((line) => /^\s+at (.*)$/.exec(line)?.[1])
    .filter(Boolean);
  if (frames.length === 0) return '';
  return `${indent}  stack: |-\n${frames.map((line) => `${indent}    ${line}\n`).join('')}`;
}

function errorFields(indent, failed) {
  const { failureType } = failed;
  const isUnwrapped = UNWRAPPED.includes(failureType) && failed.cause !== undefined;
  const error = isUnwrapped ? failed.cause : failed;
  let text = field(indent, 'failureType', failureType);
  const isError = binding('util').isError(error);
  const message = isError ? error.message || '<unknown error>' : error;
  text += field(indent, 'error', typeof message === 'string' ? message : inspect(message));
  text += field(indent, 'code', (isError ? error.code : undefined) ?? failed.code);
  if (!isError) return text;
  if (error.name && error.name !== 'Error') text += field(indent, 'name', error.name);
  if (error.code === 'ERR_ASSERTION') {
    for (const key of ['expected', 'actual', 'operator']) {
      if (error[key] !== undefined) text += valueField(indent, key, error[key]);
    }
  }
  return isUnwrapped ? text + stackField(indent, error) : text;
}

function details(nesting, { details: given, line, column, file }) {
  const indent = indentOf(nesting);
  const { duration_ms: duration, type, error } = given;
  let text = `${indent}  ---\n${field(indent, 'duration_ms', duration)}`;
  if (type !== undefined) text += field(indent, 'type', type);
  if (error !== undefined && file !== undefined) {
    text += field(indent, 'location', `${file}:${line}:${column}`);
  }
  if (error) text += errorFields(indent, error);
  return `${text}${indent}  ...\n`;
}

const comment = (nesting, message) => `${indentOf(nesting)}# ${escape(message)}\n`;

module.exports = async function* tap(source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    switch (type) {
      case 'test:fail': case 'test:pass': {
        const status = type === 'test:fail' ? 'not ok' : 'ok';
        yield resultLine(data.nesting, data.testNumber, status, data.name, data.skip, data.todo);
        yield details(data.nesting, data);
        break;
      }
      case 'test:plan': yield `${indentOf(data.nesting)}1..${data.count}\n`; break;
      case 'test:start': yield `${indentOf(data.nesting)}# Subtest: ${escape(data.name)}\n`; break;
      case 'test:stderr': case 'test:stdout':
        for (const line of data.message.split(/\r?\n/)) {
          if (line !== '') yield comment(0, line);
        }
        break;
      case 'test:coverage':
        for (const row of require('internal/test/report_coverage').table(data.summary))
          yield comment(data.nesting, row);
        break;
      case 'test:diagnostic': yield comment(data.nesting, `${data.message}`); break;
      default: break;
    }
  }
};
