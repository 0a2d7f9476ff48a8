'use strict';
// The checks of what child_process is asked for.

const { signals } = require('internal/system/constants');
const { invalidArgType, invalidArgValue, outOfRange, withCode } = require('internal/errors/errors');
const { validateBoolean, validateString } = require('internal/errors/validators');

const numbers = new Set(Object.values(signals));

function signalNumber(signal) {
  const number = typeof signal === 'number' ? signal
    : signals[signal] ?? signals[String(signal).toUpperCase()];
  if (!numbers.has(number)) {
    const text = typeof signal === 'object' ? require('util').inspect(signal) : String(signal);
    throw withCode(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${text}`);
  }
  return number;
}

// The system would see the text up to the null byte only.
function withoutNull(text, name) {
  if (typeof text === 'string' && text.includes('\0')) {
    throw invalidArgValue(name, text, 'must be a string without null bytes');
  }
}

// The shell and its arguments, as on the platform that process.platform names.
function shellCommand(shell, command) {
  const { platform } = process;
  if (platform !== 'win32') {
    const byDefault = platform === 'android' ? '/system/bin/sh' : '/bin/sh';
    return [typeof shell === 'string' ? shell : byDefault, '-c', command];
  }
  const file = typeof shell === 'string' ? shell : process.env.comspec || 'cmd.exe';
  if (!/^(?:.*\\)?cmd(?:\.exe)?$/i.test(file)) return [file, '-c', command];
  return [file, '/d', '/s', '/c', `"${command}"`];
}

function isGiven(value) {
  return value !== undefined && value !== null;
}

function checkOptions(options) {
  const { argv0, shell, timeout, killSignal } = options;
  for (const name of ['uid', 'gid']) {
    const value = options[name];
    if (isGiven(value) && value !== (value | 0)) {
      throw invalidArgType(`options.${name}`, 'int32', value);
    }
  }
  for (const name of ['detached', 'windowsHide', 'windowsVerbatimArguments']) {
    if (isGiven(options[name])) validateBoolean(options[name], `options.${name}`);
  }
  if (![undefined, 'json', 'advanced'].includes(options.serialization)) {
    throw invalidArgValue('options.serialization', options.serialization,
      "must be one of: undefined, 'json', 'advanced'");
  }
  if (isGiven(shell) && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw invalidArgType('options.shell', ['boolean', 'string'], shell);
  }
  withoutNull(shell, 'options.shell');
  if (isGiven(argv0)) {
    validateString(argv0, 'options.argv0');
    withoutNull(argv0, 'options.argv0');
  }
  if (isGiven(timeout) && !(Number.isInteger(timeout) && timeout >= 0)) {
    throw outOfRange('timeout', 'an unsigned integer', timeout);
  }
  if (isGiven(killSignal)) {
    if (typeof killSignal !== 'string' && typeof killSignal !== 'number') {
      throw invalidArgType('options.killSignal', ['string', 'number'], killSignal);
    }
    signalNumber(killSignal);
  }
}

function checkMaxBuffer(most) {
  if (isGiven(most) && !(typeof most === 'number' && most >= 0)) {
    throw outOfRange('options.maxBuffer', 'a positive number', most);
  }
}

// "NAME=value" of each variable.
function toPairs(environment) {
  const pairs = [];
  // Inherited names count.
  for (const key in environment) {
    const value = environment[key];
    if (value === undefined) continue;
    withoutNull(key, `options.env['${key}']`);
    withoutNull(value, `options.env['${key}']`);
    pairs.push(`${key}=${value}`);
  }
  // Coverage is of the programs that a program starts, too.
  const coverage = process.env.NODE_V8_COVERAGE;
  if (coverage && environment !== process.env && !Object.hasOwn(environment, 'NODE_V8_COVERAGE'))
    pairs.push(`NODE_V8_COVERAGE=${coverage}`);
  return pairs;
}

module.exports = { signalNumber, withoutNull, checkOptions, checkMaxBuffer, toPairs, shellCommand };
