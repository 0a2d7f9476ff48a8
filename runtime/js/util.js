'use strict';
const { inspect } = require('internal/inspect/inspect');
const { format, formatWithOptions } = require('internal/inspect/format');
const { colors } = require('internal/inspect/text');
const { invalidArgType, invalidArgValue, outOfRange, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateString } =
  require('internal/errors/validators');
const native = binding('process');

const customPromisify = Symbol.for('nodejs.util.promisify.custom');
const customArgs = Symbol('customPromisifyArgs');

function promisify(original) {
  validateFunction(original, 'original');
  if (original[customPromisify]) {
    const made = original[customPromisify];
    validateFunction(made, 'util.promisify.custom');
    return Object.defineProperty(made, customPromisify,
      { value: made, enumerable: false, writable: false, configurable: true });
  }
  const names = original[customArgs];
  function promisified(...args) {
    return new Promise((resolve, reject) => {
      Reflect.apply(original, this, [...args, (error, ...values) => {
        if (error) {
          reject(error);
        } else if (names !== undefined && values.length > 1) {
          const out = {};
          names.forEach((name, i) => { out[name] = values[i]; });
          resolve(out);
        } else {
          resolve(values[0]);
        }
      }]);
    });
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  Object.defineProperty(promisified, customPromisify,
    { value: promisified, enumerable: false, writable: false, configurable: true });
  const descriptors = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(descriptors)) {
    if (descriptors[key].configurable === false) delete descriptors[key];
  }
  return Object.defineProperties(promisified, descriptors);
}
promisify.custom = customPromisify;

// A callback is given an error, whatever the promise was rejected with.
function toError(reason) {
  if (reason) return reason;
  return Object.assign(withCode(Error, 'ERR_FALSY_VALUE_REJECTION',
    'Promise was rejected with falsy value'), { reason });
}

function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const callback = args.pop();
    validateFunction(callback, 'last argument');
    const tell = (...results) => process.nextTick(() => callback.call(this, ...results));
    const promise = Reflect.apply(original, this, args);
    promise.then((value) => tell(null, value), (reason) => tell(toError(reason)));
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, descriptors);
}

function inherits(constructor, parent) {
  if (constructor === undefined || constructor === null) {
    throw invalidArgType('ctor', 'Function', constructor);
  }
  if (parent === undefined || parent === null) {
    throw invalidArgType('superCtor', 'Function', parent);
  }
  if (parent.prototype === undefined) {
    throw invalidArgType('superCtor.prototype', 'Object', parent.prototype);
  }
  Object.defineProperty(constructor, 'super_',
    { value: parent, writable: true, configurable: true, enumerable: false });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

const warned = new Set();

function deprecate(original, message, code) {
  if (code !== undefined && typeof code !== 'string') {
    throw invalidArgType('code', 'string', code);
  }
  let done = false;
  function deprecated(...args) {
    if (!done) {
      done = true;
      if (code === undefined || !warned.has(code)) {
        if (code !== undefined) warned.add(code);
        process.emitWarning(message, 'DeprecationWarning', code);
      }
    }
    if (new.target) return Reflect.construct(original, args, new.target);
    return Reflect.apply(original, this, args);
  }
  Object.setPrototypeOf(deprecated, original);
  if (original.prototype) deprecated.prototype = original.prototype;
  return deprecated;
}

function debuglog(set, onFirst) {
  return require('internal/util/debuglog').debuglog(set, onFirst);
}

function isDeepStrictEqual(a, b) {
  return require('internal/util/compare').isDeepEqual(a, b, true);
}

// Control sequences of terminals: those that set something, and links.
const CONTROL = new RegExp(
  // First links and titles, up to what ends them.
  '\\u001B\\][^\\u0007\\u001B\\u009C]*(?:\\u0007|\\u001B\\\\|\\u009C)|' +
  '[\\u001B\\u009B][[\\]()#;?]*' +
  '(?:(?:(?:;[-a-zA-Z\\d/#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d/#&.:=?%@~_]*)*)?\\u0007' +
  '|(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~])', 'g');

function stripVTControlCharacters(text) {
  validateString(text, 'str');
  return text.replace(CONTROL, '');
}

function isStream(value) {
  return value !== null && typeof value === 'object' && (typeof value.pipe === 'function' ||
    typeof value.pipeThrough === 'function' || typeof value.getWriter === 'function');
}

// One format is left out where the stream shows no colours; a list of them never is.
function styleText(style, text, { validateStream = true, stream = process.stdout } = {}) {
  validateString(text, 'text');
  validateBoolean(validateStream, 'options.validateStream');
  if (validateStream && !isStream(stream)) {
    throw invalidArgType('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  let head = '';
  let tail = '';
  for (const one of Array.isArray(style) ? style : [style]) {
    if (colors[one] === undefined) {
      throw invalidArgValue('format', one,
        `must be one of: ${Object.keys(colors).map((c) => `'${c}'`).join(', ')}`);
    }
    head += `\u001b[${colors[one][0]}m`;
    tail = `\u001b[${colors[one][1]}m${tail}`;
  }
  const plain = validateStream && !Array.isArray(style) &&
    !require('internal/inspect/color_depth').showsColors(stream);
  return plain ? text : head + text + tail;
}

function getSystemErrorName(number) {
  if (typeof number !== 'number') throw invalidArgType('err', 'number', number);
  if (number >= 0 || !Number.isSafeInteger(number)) {
    throw outOfRange('err', 'a negative integer', number);
  }
  return native.errorName(number);
}

function getSystemErrorMap() {
  return new Map(require('internal/errors/uv').all());
}

function _errnoException(status, syscall, original) {
  if (typeof status !== 'number') throw invalidArgType('err', 'number', status);
  if (status >= 0 || !Number.isSafeInteger(status)) {
    throw outOfRange('err', 'a negative integer', status);
  }
  const code = getSystemErrorName(status);
  const error = new Error(original ? `${syscall} ${code} ${original}` : `${syscall} ${code}`);
  Error.captureStackTrace(error, _errnoException);
  return Object.assign(error, { errno: status, code, syscall });
}

function _exceptionWithHostPort(status, syscall, address, port, additional) {
  return require('internal/errors/errors').systemError(status, syscall, address, port, additional);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// "25 Nov 09:07:06 - text"
function log(...args) {
  const now = new Date();
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()]
    .map((part) => `${part}`.padStart(2, '0')).join(':');
  console.log('%s - %s', `${now.getDate()} ${MONTHS[now.getMonth()]} ${time}`, format(...args));
}

function parseEnv(content) {
  validateString(content, 'content');
  return require('internal/boot/dotenv').parse(content);
}

function toUSVString(text) {
  return `${text}`.toWellFormed();
}

function checkAborted(signal, resource) {
  if (signal === undefined) throw invalidArgType('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  if (resource === null || (typeof resource !== 'object' && typeof resource !== 'function')) {
    throw invalidArgType('resource', 'object', resource);
  }
}

// While the resource lives: who waits is not told once it is gone. An async function would hold it.
function aborted(signal, resource) {
  return new Promise((resolve) => {
    checkAborted(signal, resource);
    const told = whileAlive(new WeakRef(resource), resolve);
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', told, { once: true });
  });
}

function whileAlive(held, work) {
  return () => { if (held.deref() !== undefined) work(); };
}

module.exports = {
  inspect, format, formatWithOptions, promisify, callbackify, inherits, deprecate, debuglog,
  debug: debuglog, isDeepStrictEqual, stripVTControlCharacters, styleText, getSystemErrorName,
  getSystemErrorMap, toUSVString, aborted,
  transferableAbortSignal: (signal) =>
    require('internal/events/abort').transferableAbortSignal(signal),
  transferableAbortController: () => require('internal/events/abort').transferableAbortController(),
  isArray: Array.isArray,
  isBoolean: (v) => typeof v === 'boolean',
  isNull: (v) => v === null,
  isNullOrUndefined: (v) => v == null,
  isNumber: (v) => typeof v === 'number',
  isString: (v) => typeof v === 'string',
  isSymbol: (v) => typeof v === 'symbol',
  isUndefined: (v) => v === undefined,
  isRegExp: (v) => require('util/types').isRegExp(v),
  isObject: (v) => v !== null && typeof v === 'object',
  isDate: (v) => require('util/types').isDate(v),
  isError: (v) => binding('util').isError(v) || v instanceof Error,
  isFunction: (v) => typeof v === 'function',
  isPrimitive: (v) => v === null || (typeof v !== 'object' && typeof v !== 'function'),
  isBuffer: (v) => Buffer.isBuffer(v),
  log, parseEnv, _errnoException, _exceptionWithHostPort,
  _extend(target, source) {
    if (source === null || typeof source !== 'object') return target;
    return Object.assign(target, source);
  },
};

function lazy(name, id, key = name) {
  Object.defineProperty(module.exports, name, {
    enumerable: true,
    configurable: true,
    get: () => (key === '' ? require(id) : require(id)[key]),
  });
}
lazy('types', 'util/types', '');
lazy('TextEncoder', 'internal/encoding/encoding');
lazy('TextDecoder', 'internal/encoding/encoding');
lazy('parseArgs', 'internal/util/parse_args');
lazy('MIMEType', 'internal/util/mime');
lazy('MIMEParams', 'internal/util/mime');
Object.defineProperty(module.exports.promisify, 'args', { value: customArgs });
