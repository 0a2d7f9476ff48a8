'use strict';
// Errors with a code, in the words that Node uses. The checks that throw them: validators.js.

const { kIsNodeError } = require('internal/errors/stacks');

function hideFrames(error, above) {
  Error.captureStackTrace(error, above);
  return error;
}

// The header of the stack shows the code (internal/errors/stacks); the name stays plain.
function withCode(Base, code, message, above) {
  const error = new Base(message);
  Object.defineProperty(error, kIsNodeError,
    { value: true, enumerable: false, configurable: true, writable: true });
  hideFrames(error, above || withCode);
  Object.defineProperty(error, 'toString', {
    value() { return `${this.name} [${code}]: ${this.message}`; },
    configurable: true, writable: true, enumerable: false,
  });
  error.code = code;
  return error;
}

// What Node throws in C++: the code is a property, and not in the text.
function withPlainCode(Base, code, message) {
  const error = new Base(message);
  hideFrames(error, withPlainCode);
  error.code = code;
  return error;
}

function inspect(value) {
  return require('internal/inspect/inspect').inspect(value);
}

function received(value) {
  if (value == null) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    if (value.constructor && value.constructor.name) {
      return ` Received an instance of ${value.constructor.name}`;
    }
    return ` Received ${require('internal/inspect/inspect').inspect(value, { depth: -1 })}`;
  }
  if (typeof value === 'string') {
    const text = value.length > 28 ? `${value.slice(0, 25)}...` : value;
    return ` Received type string (${text.includes("'") ? JSON.stringify(text) : `'${text}'`})`;
  }
  let text = inspect(value);
  if (text.length > 28) text = `${text.slice(0, 25)}...`;
  return ` Received type ${typeof value} (${text})`;
}

const PRIMITIVES = ['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean',
  'bigint', 'symbol'];

function list(words, joint) {
  if (words.length < 3) return words.join(` ${joint} `);
  return `${words.slice(0, -1).join(', ')}, ${joint} ${words[words.length - 1]}`;
}

function expectation(expected) {
  const all = Array.isArray(expected) ? expected : [expected];
  const types = [];
  const classes = [];
  const others = [];
  for (const one of all) {
    if (PRIMITIVES.includes(one)) types.push(one.toLowerCase());
    else if (/^([A-Z][a-z0-9]*)+$/.test(one)) classes.push(one);
    else others.push(one);
  }
  if (classes.length > 0) {
    const at = types.indexOf('object');
    if (at !== -1) {
      types.splice(at, 1);
      classes.push('Object');
    }
  }
  const parts = [];
  if (types.length > 0) {
    parts.push((types.length > 1 ? 'one of type ' : 'of type ') + list(types, 'or'));
  }
  if (classes.length > 0) parts.push(`an instance of ${list(classes, 'or')}`);
  if (others.length > 1) parts.push(`one of ${list(others, 'or')}`);
  else if (others.length === 1) {
    parts.push((others[0].toLowerCase() !== others[0] ? 'an ' : '') + others[0]);
  }
  return parts.join(' or ');
}

// `above`: the check that the stack is not to show.
function invalidArgType(name, expected, value, above = invalidArgType) {
  const what = name.endsWith(' argument') ? `The ${name}`
    : `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
  return withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
    `${what} must be ${expectation(expected)}.${received(value)}`, above);
}

function invalidArgValue(name, value, reason = 'is invalid') {
  let text = inspect(value);
  if (text.length > 128) text = `${text.slice(0, 128)}...`;
  const kind = name.includes('.') ? 'property' : 'argument';
  return withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
    `The ${kind} '${name}' ${reason}. Received ${text}`, invalidArgValue);
}

function unknownEncoding(encoding) {
  const text = typeof encoding === 'object' ? inspect(encoding) : String(encoding);
  return withCode(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${text}`, unknownEncoding);
}

function digits(value) {
  let text = String(value);
  let out = '';
  const start = text[0] === '-' ? 1 : 0;
  for (; text.length >= start + 4; text = text.slice(0, -3)) out = `_${text.slice(-3)}${out}`;
  return text + out;
}

function outOfRange(name, range, value, above = outOfRange) {
  let text;
  if (Number.isInteger(value) && Math.abs(value) > 2 ** 32) text = digits(value);
  else if (typeof value === 'bigint') text = `${digits(value)}n`;
  else text = inspect(value);
  return withCode(RangeError, 'ERR_OUT_OF_RANGE',
    `The value of "${name}" is out of range. It must be ${range}. Received ${text}`, above);
}

// The names of arguments; of an array of names, one is enough.
function missingArgs(...names) {
  const quoted = names.map((name) => (Array.isArray(name)
    ? name.map((one) => `"${one}"`).join(' or ') : `"${name}"`));
  return withCode(TypeError, 'ERR_MISSING_ARGS', `The ${list(quoted, 'and')} argument${
    quoted.length > 1 ? 's' : ''} must be specified`, missingArgs);
}

// The options of an error, or undefined where none are given.
function errorOptions(options) {
  if (options === undefined || typeof options === 'object') return options;
  throw invalidArgType('options', 'Object', options);
}

class AbortError extends Error {
  code = 'ABORT_ERR';
  name = 'AbortError';

  constructor(message = 'The operation was aborted', options) {
    super(message, errorOptions(options));
  }
}

function aggregate(errors, message, code) {
  const error = new AggregateError(errors, message);
  error.code = code || errors[0].code;
  return error;
}

// Two errors of one ending: the first stays the first.
function aggregateTwo(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (!Array.isArray(outer.errors)) {
    return hideFrames(aggregate([outer, inner], outer.message, outer.code), aggregateTwo);
  }
  outer.errors.push(inner);
  return outer;
}

let processBinding;

function place(address, port) {
  if (port > 0) return ` ${address}:${port}`;
  return address ? ` ${address}` : '';
}

// The error of a failed system call: "connect ECONNREFUSED 127.0.0.1:80".
function systemError(status, syscall, address, port, extra) {
  processBinding ??= binding('process');
  const code = processBinding.errorName(status);
  const where = place(address, port);
  const error = new Error(`${syscall} ${code}${where}${extra ? ` - Local (${extra})` : ''}`);
  hideFrames(error, systemError);
  error.errno = status;
  error.code = code;
  error.syscall = syscall;
  if (address !== undefined && address !== null) error.address = address;
  if (port) error.port = port;
  return error;
}

// "bind EADDRINUSE: address already in use 1.2.3.4:80"
function systemErrorWithText(status, syscall, address, port) {
  processBinding ??= binding('process');
  const code = processBinding.errorName(status);
  const error = new Error(
    `${syscall} ${code}: ${processBinding.errorText(status)}${place(address, port)}`);
  hideFrames(error, systemErrorWithText);
  error.code = code;
  error.errno = status;
  error.syscall = syscall;
  error.address = address;
  if (port) error.port = port;
  return error;
}

module.exports = {
  list: (words, joint = 'and') => list(words, joint),
  withCode, withPlainCode, hideFrames, invalidArgType, invalidArgValue, outOfRange,
  unknownEncoding, missingArgs, received, AbortError, aggregateTwo, systemError,
  systemErrorWithText,
};
