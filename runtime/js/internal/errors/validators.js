'use strict';
// The checks of arguments: one function for each kind of value, with Node's codes and words. The
// stack of what they throw begins at their caller.

const { invalidArgType, invalidArgValue, outOfRange, received, withCode } =
  require('internal/errors/errors');

function ofType(type) {
  return function check(value, name) {
    if (typeof value !== type) throw invalidArgType(name, type, value, check);
  };
}
const validateFunction = ofType('function');
const validateString = ofType('string');
const validateBoolean = ofType('boolean');

// Numbers between bounds of which each may be absent; NaN is between none.
function validateNumber(value, name, min, max) {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value, validateNumber);
  const bounds = [];
  if (min !== undefined && min !== null) bounds.push(`>= ${min}`);
  if (max !== undefined && max !== null) bounds.push(`<= ${max}`);
  const isWithin = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (bounds.length > 0 && !isWithin) {
    throw outOfRange(name, bounds.join(' && '), value, validateNumber);
  }
}

// Whole numbers between bounds.
function wholeNumber(lowest, highest) {
  return function check(value, name, min = lowest, max = highest) {
    if (Number.isInteger(value) && value >= min && value <= max) return;
    if (typeof value !== 'number') throw invalidArgType(name, 'number', value, check);
    const range = Number.isInteger(value) ? `>= ${min} && <= ${max}` : 'an integer';
    throw outOfRange(name, range, value, check);
  };
}
const validateInteger = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const validateInt32 = wholeNumber(-2147483648, 2147483647);
const unsigned = wholeNumber(0, 4294967295);

function validateUint32(value, name, isPositive = false) {
  unsigned(value, name, isPositive ? 1 : 0);
}

// A number, or text that reads as one.
function validatePort(port, name = 'Port', allowZero = true) {
  const isText = typeof port === 'string' && port.trim() !== '';
  const number = isText || typeof port === 'number' ? Number(port) : NaN;
  const isPort = Number.isInteger(number) && number >= 0 && number <= 0xFFFF;
  if (!isPort || (port === 0 && !allowZero)) {
    throw withCode(RangeError, 'ERR_SOCKET_BAD_PORT',
      `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536.${received(port)}.`, validatePort);
  }
  return number | 0;
}

// A missing signal is none; whatever else says whether it is aborted is one.
function validateAbortSignal(signal, name) {
  const isObject = typeof signal === 'object' && signal !== null;
  if (signal === undefined || (isObject && 'aborted' in signal)) return;
  throw invalidArgType(name, 'AbortSignal', signal, validateAbortSignal);
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
const PLAIN = 8;

function kindOf(value) {
  if (value === null) return NULLABLE;
  if (typeof value === 'function') return FUNCTION;
  if (typeof value !== 'object') return 0;
  return Array.isArray(value) ? ARRAY : PLAIN;
}

// `also`: the kinds that pass besides objects that are not arrays.
function validateObject(value, name, also = 0) {
  if (kindOf(value) & (PLAIN | also)) return;
  throw invalidArgType(name, 'Object', value, validateObject);
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
  validateString(signal, name);
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

module.exports = {
  validateFunction, validateString, validateBoolean, validateNumber, validateInteger,
  validateInt32, validateUint32, validatePort, validateAbortSignal, validateOneOf, validateObject,
  validateArray, validateStringArray: arrayOf(validateString),
  validateBooleanArray: arrayOf(validateBoolean),
  validateAbortSignalArray: arrayOf(validateAbortSignal),
  validateBuffer, validateEncoding, validateSignalName, validateUndefined, validateUnion,
  ARRAY, FUNCTION, NULLABLE,
};
