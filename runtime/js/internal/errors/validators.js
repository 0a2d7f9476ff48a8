'use strict';
// The checks of arguments: one function for each kind of value, with Node's codes and words.

const errors = require('internal/errors/errors');
const { invalidArgType, invalidArgValue, outOfRange, withCode } = errors;

// Whole numbers between bounds; `kind` is what other values are told to be.
function integer(lowest, highest) {
  return (value, name, min = lowest, max = highest) => {
    if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
    if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
    if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
  };
}

const validateInt32 = integer(-2147483648, 2147483647);
const int32 = integer(0, 4294967295);

function validateUint32(value, name, isPositive = false) {
  int32(value, name, isPositive ? 1 : 0, 4294967295);
}

function validateOneOf(value, name, allowed) {
  if (allowed.includes(value)) return;
  const { inspect } = require('internal/inspect/inspect');
  const shown = allowed.map((one) => (typeof one === 'string' ? `'${one}'` : inspect(one)));
  throw invalidArgValue(name, value, `must be one of: ${shown.join(', ')}`);
}

const ARRAY = 1;
const FUNCTION = 2;
const NULLABLE = 4;

function validateObject(value, name, also = 0) {
  const isFine = (value === null && also & NULLABLE) || (typeof value === 'object' &&
    value !== null && (also & ARRAY || !Array.isArray(value))) ||
    (typeof value === 'function' && also & FUNCTION);
  if (!isFine) throw invalidArgType(name, 'Object', value);
}

function validateArray(value, name, least = 0) {
  if (!Array.isArray(value)) throw invalidArgType(name, 'Array', value);
  if (value.length < least) {
    throw invalidArgValue(name, value, `must be longer than ${least}`);
  }
}

// Arrays whose members pass a check of their own.
function arrayOf(check) {
  return (value, name) => {
    validateArray(value, name);
    for (let i = 0; i < value.length; i++) check(value[i], `${name}[${i}]`);
  };
}

function validateBuffer(value, name = 'buffer') {
  if (!ArrayBuffer.isView(value)) {
    throw invalidArgType(name, ['Buffer', 'TypedArray', 'DataView'], value);
  }
}

// Hexadecimal text has two digits a byte.
function validateEncoding(data, encoding) {
  const isHex = typeof encoding === 'string' && encoding.toLowerCase() === 'hex';
  if (isHex && data.length % 2 !== 0) {
    throw invalidArgValue('encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

function validateSignalName(signal, name = 'signal') {
  errors.validateString(signal, name);
  const { signals } = require('internal/system/constants');
  if (signals[signal] !== undefined) return;
  const isLower = signals[signal.toUpperCase()] !== undefined;
  throw withCode(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}${
    isLower ? ' (signals must use all capital letters)' : ''}`);
}

function validateUndefined(value, name) {
  if (value !== undefined) throw invalidArgType(name, 'undefined', value);
}

function validateUnion(value, name, union) {
  if (!union.includes(value)) throw invalidArgType(name, `('${union.join('|')}')`, value);
}

function missingArgs(...names) {
  const quoted = names.map((name) => (Array.isArray(name)
    ? name.map((one) => `"${one}"`).join(' or ') : `"${name}"`));
  const many = quoted.length > 2 ? `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
    : quoted.join(' and ');
  return withCode(TypeError, 'ERR_MISSING_ARGS',
    `The ${many} argument${quoted.length > 1 ? 's' : ''} must be specified`, missingArgs);
}

module.exports = {
  ...errors, validateInt32, validateUint32, validateOneOf, validateObject, validateArray, arrayOf,
  validateStringArray: arrayOf(errors.validateString),
  validateBooleanArray: arrayOf(errors.validateBoolean),
  validateAbortSignalArray: arrayOf(errors.validateAbortSignal),
  validateBuffer, validateEncoding, validateSignalName, validateUndefined, validateUnion,
  missingArgs, ARRAY, FUNCTION, NULLABLE,
};
