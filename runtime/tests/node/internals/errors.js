'use strict';
// Node's name internal/errors: classes of errors made by their codes.

const errors = require('internal/errors/errors');
const { SystemError, kIsNodeError } = require('internal/errors/system_error');

// The classes of errors by code: those whose words take arguments.
const codes = {
  ERR_INVALID_ARG_TYPE: from(TypeError, errors.invalidArgType),
  ERR_INVALID_ARG_VALUE: from(TypeError, errors.invalidArgValue),
  ERR_OUT_OF_RANGE: from(RangeError, errors.outOfRange),
  ERR_MISSING_ARGS: from(TypeError, errors.missingArgs),
};

function from(Base, make) {
  function Made(...args) { return make(...args); }
  Made.prototype = Base.prototype;
  return Made;
}

// A function may have arguments with defaults; places in a text are all filled.
function checkCount(code, given, wanted, isFunction) {
  if (isFunction ? wanted <= given : wanted === given) return;
  require('exposed/assert').fail(`Code: ${code}; The provided arguments length (${given
  }) does not match the required ones (${wanted}).`);
}

// The errors of the loop's calls: { errno, syscall, path, dest, code, message }.
class UVException extends Error {
  constructor(context) {
    const [code, text] = nameAndText(context.errno);
    super(`${code}: ${context.message ?? text}, ${context.syscall}${
      context.path === undefined ? '' : ` '${context.path}'`}${
      context.dest === undefined ? '' : ` -> '${context.dest}'`}`);
    for (const key of Object.keys(context)) if (key !== 'message') this[key] = context[key];
    this.code = code;
  }
}

class UVExceptionWithHostPort extends Error {
  constructor(errno, syscall, address, port) {
    const [code, text] = nameAndText(errno);
    super(`${syscall} ${code}: ${text}${port > 0 ? ` ${address}:${port}`
      : address ? ` ${address}` : ''}`);
    Object.assign(this, { code, errno, syscall, address });
    if (port) this.port = port;
  }
}
for (const Class of [UVException, UVExceptionWithHostPort]) {
  Object.defineProperty(Class.prototype, 'constructor', { value: Error });
}

function nameAndText(status) {
  return require('internal/errors/uv').all().get(status) ?? ['UNKNOWN', 'unknown error'];
}

// E(code, words, ...bases): a class of errors of one's own.
function E(code, words, Base, ...more) {
  const message = (self, args) => {
    const isFunction = typeof words === 'function';
    checkCount(code, args.length, isFunction ? words.length
      : (words.match(/%[dfijoOs]/g) ?? []).length, isFunction);
    if (isFunction) return Reflect.apply(words, self, args);
    return require('internal/inspect/format').format(words, ...args);
  };
  const define = (Parent) => class NodeError extends Parent {
    constructor(...args) {
      super(Parent.isSystem ? args[0] : undefined, ...Parent.isSystem ? [code, words] : []);
      if (!Parent.isSystem) {
        Object.defineProperty(this, 'message', { value: message(this, args), enumerable: false,
          writable: true, configurable: true });
      }
      Object.defineProperty(this, 'toString', { value() {
        return `${this.name} [${code}]: ${this.message}`;
      }, enumerable: false, writable: true, configurable: true });
      this.code = code;
    }
  };
  codes[code] = define(Base ?? Error);
  for (const other of more) codes[code][other.name] = define(other);
}

const noFrames = (Class) => Object.assign(Class, { NoStackError: Class });
E('ERR_ACCESS_DENIED', 'Access to this API has been restricted. Permission: %s', Error);
noFrames(codes.ERR_ACCESS_DENIED);

// What it throws seems to come from whoever called it.
function hideStackFrames(work) {
  function hidden(...args) {
    try {
      return Reflect.apply(work, this, args);
    } catch (error) {
      if (Error.stackTraceLimit) Error.captureStackTrace(error, hidden);
      throw error;
    }
  }
  hidden.withoutStackTrace = work;
  return hidden;
}

function DNSException(status, syscall, host) {
  const error = require('internal/dns/errors').systemError(status, syscall, host);
  Error.captureStackTrace(error, DNSException);
  return error;
}

// Those whose words are always the same.
for (const [code, words, ...bases] of [
  ['ERR_IPC_CHANNEL_CLOSED', 'Channel closed'],
  ['ERR_IPC_DISCONNECTED', 'IPC channel is already disconnected'],
  ['ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'Premature close'],
  ['ERR_STREAM_WRITE_AFTER_END', 'write after end'],
  ['ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError],
  ['ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF'],
  ['ERR_SERVER_NOT_RUNNING', 'Server is not running.'],
  ['ERR_SOCKET_CLOSED', 'Socket is closed'],
  ['ERR_METHOD_NOT_IMPLEMENTED', 'The %s method is not implemented'],
  ['ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'],
  ['ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor', TypeError],
  ['ERR_INVALID_STATE', 'Invalid state: %s', Error, TypeError, RangeError],
  ['ERR_INVALID_THIS', 'Value of "this" must be of type %s', TypeError],
]) E(code, words, ...bases);

module.exports = {
  ...errors, codes, E, SystemError, UVException, UVExceptionWithHostPort, DNSException,
  uvErrmapGet: (status) => require('internal/errors/uv').all().get(status),
  hideStackFrames, kIsNodeError,
  determineSpecificType: (value) => errors.received(value).slice(' Received '.length),
  aggregateTwoErrors: errors.aggregateTwo, formatList: errors.list,
  isStackOverflowError: (error) => error?.name === 'RangeError' &&
    /call stack/.test(error.message),
  getMessage: (key, args) => `${key} ${args}`,
};
