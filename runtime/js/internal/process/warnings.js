'use strict';
// process.emitWarning, and how warnings are shown.

const native = binding('process');
const { invalidArgType, validateString } = require('internal/errors/errors');

let hinted = false;

function isSilenced(warning) {
  const options = require('internal/boot/options');
  const silenced = options.all('disable-warning');
  return silenced.includes(warning.name) || silenced.includes(warning.code);
}

function describe(warning, trace) {
  let text = `(node:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  if (trace && warning.stack) text += warning.stack;
  else text += typeof warning.toString === 'function' ? `${warning.toString()}`
    : Error.prototype.toString.call(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  return text;
}

function write(text) {
  const file = process.env.NODE_REDIRECT_WARNINGS ??
    (process.execArgv.length > 0 ? require('internal/boot/options').last('redirect-warnings')
      : undefined);
  if (file) {
    try {
      require('fs').appendFileSync(file, text);
      return;
    } catch {
      // Then to standard error, as without it.
    }
  }
  // A stream that the program has may have a write() of the program's.
  const isPlain = binding('worker').startData() === undefined &&
    require('internal/process/stdio').opened(2) === undefined;
  if (isPlain) native.write(2, text);
  else process.stderr.write(text);
}

function printWarning(warning) {
  if (!(warning instanceof Error)) return;
  if (process.noProcessWarnings || process.env.NODE_NO_WARNINGS === '1') return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  if (process.execArgv.length > 0 && isSilenced(warning)) return;
  const trace = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  let text = describe(warning, trace);
  if (!trace && !hinted) {
    hinted = true;
    const flag = isDeprecation ? 'deprecation' : 'warnings';
    text += `\n(Use \`node --trace-${flag} ...\` to show where the warning was created)`;
  }
  write(`${text}\n`);
}

function makeWarning(message, type, code, detail, above) {
  const limit = Error.stackTraceLimit;
  const made = new Error(message);
  Error.stackTraceLimit = limit;
  made.name = String(type || 'Warning');
  if (code !== undefined) made.code = code;
  if (detail !== undefined) made.detail = detail;
  Error.captureStackTrace(made, above);
  return made;
}

// Caller: the function that the program has called, which its stack does not show.
function emitWarning(caller, warning, type, code, above) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    above = type.ctor;
    ({ detail, code } = type);
    if (typeof detail !== 'string') detail = undefined;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    above = type;
    type = 'Warning';
    code = undefined;
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    above = code;
    code = undefined;
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    warning = makeWarning(warning, type, code, detail, above ?? caller);
  } else if (!(warning instanceof Error)) {
    throw invalidArgType('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      process.nextTick(() => { throw warning; });
      return;
    }
  }
  process.nextTick(() => process.emit('warning', warning));
}

module.exports = { emitWarning, printWarning, makeWarning };
