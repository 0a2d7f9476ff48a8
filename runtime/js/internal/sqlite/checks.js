'use strict';
// Arguments of SQLite's classes, in the words that Node has for them.

const { withCode } = require('internal/errors/errors');

function wrongType(name, what) {
  return withCode(TypeError, 'ERR_INVALID_ARG_TYPE', `The "${name}" argument must be ${what}.`);
}

function boolean(value, name) {
  if (typeof value !== 'boolean') throw wrongType(name, 'a boolean');
  return value;
}

// A boolean of an options object; undefined is the default.
function option(options, name, otherwise) {
  const value = options[name];
  return value === undefined ? otherwise : boolean(value, `options.${name}`);
}

function string(value, name) {
  if (typeof value !== 'string') throw wrongType(name, 'a string');
  return value;
}

function isObject(value) { return typeof value === 'object' && value !== null; }

function object(value, name) {
  if (!isObject(value)) throw wrongType(name, 'an object');
  return value;
}

function callable(value, name) {
  if (typeof value !== 'function') throw wrongType(name, 'a function');
  return value;
}

function integer(value, name) {
  if (!Number.isInteger(value)) throw wrongType(name, 'an integer');
  return value;
}

const PATH = 'a string, Uint8Array, or URL without null bytes';

function path(value, name = 'path') {
  if (value instanceof Uint8Array && !value.includes(0)) return value;
  let text = value;
  if (isObject(value) && typeof value.href === 'string') {
    if (!value.href.startsWith('file:'))
      throw withCode(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file:');
    text = value.href;
  }
  if (typeof text !== 'string' || text.includes('\0')) throw wrongType(name, PATH);
  return text;
}

function state(message) { return withCode(Error, 'ERR_INVALID_STATE', message); }

function illegal() { return withCode(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor'); }

module.exports = { boolean, callable, illegal, integer, isObject, object, option, path, state,
  string, wrongType };
