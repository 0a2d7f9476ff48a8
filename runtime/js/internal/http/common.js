'use strict';
// What servers and clients share: names, checks, dates.

const { withCode, hideFrames } = require('internal/errors/errors');

const METHODS = ['ACL', 'BIND', 'CHECKOUT', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK',
  'LOCK', 'M-SEARCH', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL', 'MOVE', 'NOTIFY', 'OPTIONS',
  'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PURGE', 'PUT', 'QUERY', 'REBIND', 'REPORT', 'SEARCH',
  'SOURCE', 'SUBSCRIBE', 'TRACE', 'UNBIND', 'UNLINK', 'UNLOCK', 'UNSUBSCRIBE'];

// In the order of their numbers, which HTTPParser tells.
const METHOD_NUMBERS = ['DELETE', 'GET', 'HEAD', 'POST', 'PUT', 'CONNECT', 'OPTIONS', 'TRACE',
  'COPY', 'LOCK', 'MKCOL', 'MOVE', 'PROPFIND', 'PROPPATCH', 'SEARCH', 'UNLOCK', 'BIND', 'REBIND',
  'UNBIND', 'ACL', 'REPORT', 'MKACTIVITY', 'CHECKOUT', 'MERGE', 'M-SEARCH', 'NOTIFY', 'SUBSCRIBE',
  'UNSUBSCRIBE', 'PATCH', 'PURGE', 'MKCALENDAR', 'LINK', 'UNLINK', 'SOURCE', 'QUERY'];

const STATUS_CODES = {
  100: 'Continue', 101: 'Switching Protocols', 102: 'Processing', 103: 'Early Hints', 200: 'OK',
  201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content',
  205: 'Reset Content', 206: 'Partial Content', 207: 'Multi-Status', 208: 'Already Reported',
  226: 'IM Used', 300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found',
  303: 'See Other', 304: 'Not Modified', 305: 'Use Proxy', 307: 'Temporary Redirect',
  308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required',
  403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable',
  407: 'Proxy Authentication Required', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone',
  411: 'Length Required', 412: 'Precondition Failed', 413: 'Payload Too Large',
  414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable',
  417: 'Expectation Failed', 418: 'I\'m a Teapot', 421: 'Misdirected Request',
  422: 'Unprocessable Entity', 423: 'Locked', 424: 'Failed Dependency', 425: 'Too Early',
  426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests',
  431: 'Request Header Fields Too Large', 451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway',
  503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates', 507: 'Insufficient Storage', 508: 'Loop Detected',
  509: 'Bandwidth Limit Exceeded', 510: 'Not Extended', 511: 'Network Authentication Required',
};

// Numbers of the parser (runtime/http/numbers.h).
const flags = { ...binding('http').flags, ...binding('http').answers };

const { isToken, isValue } = binding('http');

// The version of a message that came in, from its flags; most are of version 1.1.
function setVersion(message, heads) {
  const version = heads >> flags.VERSION;
  if (version === 11) return;
  message.httpVersionMajor = Math.floor(version / 10);
  message.httpVersionMinor = version % 10;
}

function error(code, message, Base = Error) {
  return withCode(Base, code, message, error);
}

function validateHeaderName(name, label) {
  if (typeof name !== 'string' || !isToken(name)) {
    throw withCode(TypeError, 'ERR_INVALID_HTTP_TOKEN',
      `${label || 'Header name'} must be a valid HTTP token ["${name}"]`, validateHeaderName);
  }
}

function validateHeaderValue(name, value) {
  if (value === undefined) {
    throw withCode(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE',
      `Invalid value "${value}" for header "${name}"`, validateHeaderValue);
  }
  if (!isValue(value)) {
    throw withCode(TypeError, 'ERR_INVALID_CHAR',
      `Invalid character in header content ["${name}"]`, validateHeaderValue);
  }
}

function connectionReset(message) {
  const failure = new Error(message);
  hideFrames(failure, connectionReset);
  failure.code = 'ECONNRESET';
  return failure;
}

// The error of input that is no HTTP.
function parseError([code, reason, bytesParsed], packet) {
  const failure = new Error(code === 'HPE_INVALID_EOF_STATE' ? 'Parse Error'
    : `Parse Error: ${reason}`);
  hideFrames(failure, parseError);
  failure.bytesParsed = bytesParsed;
  failure.code = code;
  failure.reason = reason;
  if (packet !== undefined) failure.rawPacket = packet;
  return failure;
}

let maxHeaderSize = 16 * 1024;
let isInsecure = false;
if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) {
  const options = require('internal/boot/options');
  const size = options.last('max-http-header-size');
  if (size !== undefined) maxHeaderSize = Number(size);
  isInsecure = options.isOn('insecure-http-parser') === true;
}
let isTold = false;

// Is the parser to take what the rules do not allow?
function isLenient(given) {
  if (given !== undefined) return given;
  if (isInsecure && !isTold) {
    isTold = true;
    process.emitWarning('Using insecure HTTP parsing');
  }
  return isInsecure;
}

module.exports = {
  METHODS, METHOD_NUMBERS, STATUS_CODES, flags, setVersion, isToken, isValue, error,
  validateHeaderName, validateHeaderValue, connectionReset, parseError,
  maxHeaderSize, isLenient,
};

if (process.env.NODE_DEBUG) require('internal/http/log').start();
