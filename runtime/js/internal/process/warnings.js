'use strict';
// process.emitWarning, and how warnings are shown.

const native = binding('process');
const { invalidArgType } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

const DEPRECATION = 'DeprecationWarning';
let hasHinted = false; // the way to see where a warning came from is told once

// The last of a switch and its opposite on the command line, or a property of process that a
// program sets.
function isSwitched(property, option, position) {
  return Boolean(process[property]) || require('internal/boot/options').isOn(option) === position;
}

function isHidden({ name, code }) {
  if (isSwitched('noProcessWarnings', 'warnings', false)) return true;
  if (process.env.NODE_NO_WARNINGS === '1') return true;
  if (name === DEPRECATION && process.noDeprecation) return true;
  const disabled = require('internal/boot/options').all('disable-warning');
  return disabled.some((given) => given === name || (given === code && given !== undefined));
}

function isTraced(name) {
  return isSwitched('traceProcessWarnings', 'trace-warnings', true) ||
    (name === DEPRECATION && isSwitched('traceDeprecation', 'trace-deprecation', true));
}

function headline(warning) {
  const ownWords = typeof warning.toString === 'function' ? warning.toString :
    Error.prototype.toString;
  return Reflect.apply(ownWords, warning, []);
}

function textOf(warning) {
  const { code, detail, name, stack } = warning;
  const traced = isTraced(name);
  const lines = [traced && stack ? stack : headline(warning)];
  if (typeof detail === 'string') lines.push(detail);
  if (!traced && !hasHinted) {
    hasHinted = true;
    const flag = name === DEPRECATION ? '--trace-deprecation' : '--trace-warnings';
    const program = require('path').basename(process.argv0 || 'node', '.exe');
    lines.push(`(Use \`${program} ${flag} ...\` to show where the warning was created)`);
  }
  const sender = `(${process.release.name}:${process.pid})`;
  return `${sender} ${code ? `[${code}] ` : ''}${lines.join('\n')}\n`;
}

// To the file that was asked for, or to standard error: without a stream where nobody has one yet.
function write(text) {
  const file = require('internal/boot/options').last('redirect-warnings') ||
    process.env.NODE_REDIRECT_WARNINGS;
  if (file) {
    try {
      return require('fs').appendFileSync(file, text);
    } catch {
      // a warning that can't go to its file is shown all the same
    }
  }
  const isDirect = require('worker_threads').isMainThread &&
    require('internal/process/stdio').opened(2) === undefined;
  if (isDirect) native.write(2, text);
  else process.stderr.write(text);
}

function printWarning(warning) {
  if (warning instanceof Error && !isHidden(warning)) write(textOf(warning));
}

// The stack begins at the caller of "above".
function makeWarning(message, type = 'Warning', code, detail, above = makeWarning) {
  const warning = new Error(message);
  warning.name = String(type);
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  Error.captureStackTrace(warning, above);
  return warning;
}

// emitWarning's arguments after the warning, in all their forms, as one object: an object with
// those names; or type, code and a function; the function may come earlier in place of the others.
function detailsOf(type, code, above) {
  let detail;
  if (typeof type === 'function') [type, code, above] = [undefined, undefined, type];
  else if (typeof code === 'function') [code, above] = [undefined, code];
  else if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    above = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type;
  }
  if (type !== undefined) validateString(type, 'type');
  if (code !== undefined) validateString(code, 'code');
  return { type: type || 'Warning', code, detail, above };
}

function emitWarning(caller, warning, ...rest) {
  const { type, code, detail, above } = detailsOf(...rest);
  if (typeof warning === 'string') {
    warning = makeWarning(warning, type, code, detail, above ?? caller);
  } else if (!(warning instanceof Error)) {
    throw invalidArgType('warning', ['string', 'Error'], warning, caller);
  }
  if (warning.name === DEPRECATION) {
    if (process.noDeprecation) return;
    // Where the program can't catch it by accident.
    if (process.throwDeprecation) return process.nextTick(() => { throw warning; });
  }
  process.nextTick(() => process.emit('warning', warning));
}

module.exports = { emitWarning, printWarning, makeWarning };
