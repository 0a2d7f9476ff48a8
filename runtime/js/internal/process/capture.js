'use strict';
// Who takes errors that nobody caught before 'uncaughtException' does: one callback, or domains.

const { invalidArgType, withCode } = require('internal/errors/errors');

let callback = null;
let domains;
let loaded; // where the domain module was loaded

function set(fn) {
  if (fn === null) {
    callback = null;
    return;
  }
  if (typeof fn !== 'function') throw invalidArgType('fn', ['Function', 'null'], fn);
  if (domains !== undefined) {
    const error = withCode(Error, 'ERR_DOMAIN_CANNOT_SET_UNCAUGHT_EXCEPTION_CAPTURE',
      'The `domain` module is in use, which is mutually exclusive with calling ' +
        'process.setUncaughtExceptionCaptureCallback()');
    error.stack += `\n${'-'.repeat(40)}\n${loaded}`;
    throw error;
  }
  if (callback !== null) {
    throw withCode(Error, 'ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET',
      '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already ' +
        'active');
  }
  callback = fn;
}

function setDomains(hook) {
  if (callback !== null) {
    throw withCode(Error, 'ERR_DOMAIN_CALLBACK_NOT_AVAILABLE',
      'A callback was registered through process.setUncaughtExceptionCaptureCallback(), which is ' +
        'mutually exclusive with using the `domain` module');
  }
  domains = hook;
  loaded = new Error('The `domain` module was loaded').stack;
}

// True if the error was taken.
function take(error) {
  if (callback !== null) {
    callback(error);
    return true;
  }
  return domains !== undefined && domains(error) === true;
}

module.exports = { set, take, isSet: () => callback !== null, setDomains };
