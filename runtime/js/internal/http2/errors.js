'use strict';
const { withCode } = require('internal/errors/errors');
const { nameOf } = require('internal/http2/constants');

const WORDS = {
  INVALID_SESSION: 'The session has been destroyed',
  INVALID_STREAM: 'The stream has been destroyed',
  GOAWAY_SESSION: 'New streams cannot be created after receiving a GOAWAY',
  OUT_OF_STREAMS: 'No stream ID is available because maximum stream ID has been reached',
  HEADERS_SENT: 'Response has already been initiated.',
  HEADERS_AFTER_RESPOND: 'Cannot specify additional headers after response initiated',
  STATUS_101: 'HTTP status code 101 (Switching Protocols) is forbidden in HTTP/2',
  PING_CANCEL: 'HTTP2 ping cancelled',
  SETTINGS_CANCEL: 'HTTP2 session settings canceled',
  MAX_PENDING_SETTINGS_ACK: 'Maximum number of pending settings acknowledgements',
  TRAILERS_ALREADY_SENT: 'Trailing headers have already been sent',
  TRAILERS_NOT_READY: 'Trailing headers cannot be sent until after the wantTrailers event is ' +
    'emitted',
  PUSH_DISABLED: 'HTTP/2 client has disabled push streams',
  NESTED_PUSH: 'A push stream cannot initiate another push stream.',
  SOCKET_BOUND: 'The socket is already bound to an Http2Session',
  SOCKET_UNBOUND: 'The socket has been disconnected from the Http2Session',
  NO_SOCKET_MANIPULATION:
    'HTTP/2 sockets should not be directly manipulated (e.g. read and written)',
  SEND_FILE: 'Directories cannot be sent',
  SEND_FILE_NOSEEK: 'Offset or length can only be specified for regular files',
  CONNECT_AUTHORITY: ':authority header is required for CONNECT requests',
  CONNECT_PATH: 'The :path header is forbidden for CONNECT requests',
  CONNECT_SCHEME: 'The :scheme header is forbidden for CONNECT requests',
  STREAM_SELF_DEPENDENCY: 'A stream cannot depend on itself',
  TOO_MANY_INVALID_FRAMES: 'Too many invalid HTTP/2 frames',
  NO_MEM: 'Out of memory',
};

const TYPED = {
  PSEUDOHEADER_NOT_ALLOWED: [TypeError, () => 'Cannot set HTTP/2 pseudo-headers'],
  INVALID_PSEUDOHEADER: [TypeError,
    (name) => `"${name}" is an invalid pseudoheader or is used incorrectly`],
  HEADER_SINGLE_VALUE: [TypeError,
    (name) => `Header field "${name}" must only have a single value`],
  INVALID_CONNECTION_HEADERS: [TypeError,
    (name) => `HTTP/1 Connection specific headers are forbidden: "${name}"`],
  INVALID_HEADER_VALUE: [TypeError,
    (value, name) => `Invalid value "${value}" for header "${name}"`],
  INFO_STATUS_NOT_ALLOWED: [RangeError, () => 'Informational status codes cannot be used'],
  STATUS_INVALID: [RangeError, (code) => `Invalid status code: ${code}`],
  INVALID_INFO_STATUS: [RangeError, (code) => `Invalid informational status code: ${code}`],
  PAYLOAD_FORBIDDEN: [Error, (code) => `Responses with ${code} status must not have a payload`],
  PING_LENGTH: [RangeError, () => 'HTTP2 ping payload must be 8 bytes'],
  INVALID_PACKED_SETTINGS_LENGTH: [RangeError,
    () => 'Packed settings length must be a multiple of six'],
  ORIGIN_LENGTH: [TypeError, () => 'HTTP/2 ORIGIN frames are limited to 16382 bytes'],
  INVALID_ORIGIN: [TypeError, () => 'HTTP/2 ORIGIN frames require a valid origin'],
  ALTSVC_LENGTH: [TypeError, () => 'HTTP/2 ALTSVC frames are limited to 16382 bytes'],
  ALTSVC_INVALID_ORIGIN: [TypeError, () => 'HTTP/2 ALTSVC frames require a valid origin'],
  UNSUPPORTED_PROTOCOL: [Error, (name) => `protocol "${name}" is unsupported.`],
  STREAM_ERROR: [Error, (code) => `Stream closed with error code ${nameOf(code) ?? code}`],
  SESSION_ERROR: [Error, (code) => `Session closed with error code ${code}`],
};

// h2Error('INVALID_SESSION') has the code ERR_HTTP2_INVALID_SESSION.
function h2Error(name, ...args) {
  const code = `ERR_HTTP2_${name}`;
  if (WORDS[name] !== undefined) return withCode(Error, code, WORDS[name], h2Error);
  const [Base, words] = TYPED[name];
  return withCode(Base, code, words(...args), h2Error);
}

function streamCancel(cause) {
  const error = withCode(Error, 'ERR_HTTP2_STREAM_CANCEL',
    `The pending stream has been canceled${cause ? ` (caused by: ${cause.message})` : ''}`);
  if (cause) error.cause = cause;
  return error;
}

// What nghttp2 says of itself.
class NghttpError extends Error {
  constructor(errno) {
    super(binding('http2').errorText(errno));
    this.code = 'ERR_HTTP2_ERROR';
    this.errno = errno;
  }

  toString() { return `${this.name} [${this.code}]: ${this.message}`; }
}

module.exports = { h2Error, streamCancel, NghttpError };
