'use strict';
// CompileError, LinkError and RuntimeError.

const { captureStackTrace } = Error;
const hidden = (value) => ({ value, writable: true, enumerable: false, configurable: true });

function errorClass(name) {
  function Failure(message, options) {
    const error = Reflect.construct(Error, options === undefined && message === undefined
      ? [] : [message, options], new.target ?? Failure);
    captureStackTrace(error, Failure);
    return error;
  }
  Object.setPrototypeOf(Failure, Error);
  Object.defineProperty(Failure, 'name', { value: name, configurable: true });
  Object.defineProperty(Failure, 'length', { value: 1, configurable: true });
  Object.defineProperty(Failure, 'prototype', {
    value: Object.create(Error.prototype,
      { constructor: hidden(Failure), name: hidden(name), message: hidden('') }),
    writable: false,
  });
  return Failure;
}

const CompileError = errorClass('CompileError');
const LinkError = errorClass('LinkError');
const RuntimeError = errorClass('RuntimeError');

// The error of a trap, with the functions of WebAssembly before those of JavaScript.
function trap(text, frames) {
  const error = new RuntimeError(text);
  captureStackTrace(error, trap);
  const { stack } = error;
  if (typeof stack === 'string') {
    const at = stack.indexOf('\n    at ');
    const head = at < 0 ? stack : stack.slice(0, at);
    error.stack = head + frames + (at < 0 ? '' : stack.slice(at));
  }
  return error;
}

module.exports = { CompileError, LinkError, RuntimeError, trap };
