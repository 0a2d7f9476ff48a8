'use strict';
// What a server answers.

const { OutgoingMessage, kOutput, onFinish } = require('internal/http/outgoing');
const { kHeaders, readHeaders, headFlags, ADD_TIMEOUT, IN_CHUNKS, HEAD_IS_MADE } =
  require('internal/http/outgoing_head');
const { STATUS_CODES, isValue, error, validateHeaderName, validateHeaderValue } =
  require('internal/http/common');
const { invalidArgValue, systemError, withCode } = require('internal/errors/errors');
const { validateObject } = require('internal/errors/validators');
const native = binding('http');
const { nextTick } = binding('gate');

const kReason = Symbol('kReason');

function ServerResponse(req, options) {
  if (options !== undefined) OutgoingMessage.call(this, options);
  if (req.method === 'HEAD') this._hasBody = false;
  if (options?.rejectNonStandardBodyWrites) this._rejectsBody = true;
  this.req = req;
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(req.headers.te);
    this.shouldKeepAlive = false;
  }
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

const { prototype } = ServerResponse;
prototype.sendDate = true;
prototype.statusCode = 200;
prototype[kReason] = undefined;
prototype._conn = null; // the connection of the server, which sets it
prototype._onClose = undefined;
prototype._sent100 = false;
prototype._expect_continue = false;

prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) {
    throw error('ERR_HTTP_SOCKET_ASSIGNED', 'Socket already assigned');
  }
  socket._httpMessage = this;
  this.socket = socket;
  if (this._conn === null) {
    this._onClose = () => this._lost();
    socket.on('close', this._onClose);
    this._onDrain = () => this._onSocketDrain();
    socket.on('drain', this._onDrain);
  }
  if (this._events !== undefined) this.emit('socket', socket);
  if (this[kOutput] !== null) this._flush();
};

prototype.detachSocket = function detachSocket(socket) {
  if (this._onClose) {
    socket.removeListener('close', this._onClose);
    socket.removeListener('drain', this._onDrain);
  }
  socket._httpMessage = null;
  this.socket = null;
};

// The connection is gone.
prototype._lost = function _lost() {
  this.destroyed = true;
  if (this._closed) return;
  this._closed = true;
  this.emit('close');
};

prototype._onPendingData = function _onPendingData(delta) {
  if (this._conn !== null) this._conn.addPending(delta);
};

prototype._onFinished = function _onFinished() {
  if (this._conn !== null) this._conn.responded(this);
};

Object.defineProperty(prototype, '_keepAliveTimeout', {
  configurable: true,
  get() { return this._conn === null ? 0 : this._conn.server.keepAliveTimeout; },
  set(value) { Object.defineProperty(this, '_keepAliveTimeout', { value, writable: true }); },
});
Object.defineProperty(prototype, '_maxRequestsPerSocket', {
  configurable: true,
  get() { return this._conn === null ? 0 : this._conn.server.maxRequestsPerSocket; },
  set(value) { Object.defineProperty(this, '_maxRequestsPerSocket', { value, writable: true }); },
});

prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

function checkStatus(given) {
  const status = given | 0;
  if (status < 100 || status > 999) {
    const shown = typeof given === 'object' && given !== null
      ? require('internal/inspect/inspect').inspect(given) : given;
    throw withCode(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${shown}`);
  }
  return status;
}

// Headers of writeHead go over those of setHeader.
function mergeHeaders(response, headers) {
  const own = response[kHeaders];
  if (own === null || headers === undefined || headers === null) return headers || own;
  if (Array.isArray(headers)) {
    const pairs = Array.isArray(headers[0]) ? headers
      : headers.reduce((list, one, i) => (i % 2 ? list : [...list, [one, headers[i + 1]]]), []);
    for (const [name] of pairs) response.removeHeader(name);
    for (const [name, value] of pairs) response.appendHeader(name, value);
  } else {
    for (const name of Object.keys(headers)) response.setHeader(name, headers[name]);
  }
  return response[kHeaders];
}

function reasonOf(response) {
  return `${response[kReason] || STATUS_CODES[response.statusCode] || 'unknown'}`;
}

// It is only known for certain when the head is made.
Object.defineProperty(prototype, 'statusMessage', {
  configurable: true,
  enumerable: true,
  get() { return this._header === null ? this[kReason] : reasonOf(this); },
  set(text) { this[kReason] = text; },
});

// Takes the status and the headers of an answer; gives the headers to send.
function settle(response, given, reason, headers) {
  const status = checkStatus(given);
  if (typeof reason === 'string') response[kReason] = reason;
  else headers ??= reason;
  if (response[kReason] && !isValue(response[kReason])) {
    throw withCode(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in statusMessage');
  }
  if (Array.isArray(headers) && !Array.isArray(headers[0]) && headers.length % 2 !== 0) {
    throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
      `The argument 'headers' is invalid. Received ${require('util').inspect(headers)}`);
  }
  if (response.statusCode !== status) response.statusCode = status;
  const lines = mergeHeaders(response, headers);
  if (status === 204 || status === 304 || status < 200) response._hasBody = false;
  if (response._expect_continue && !response._sent100) response.shouldKeepAlive = false;
  return lines;
}

prototype.writeHead = function writeHead(given, reason, headers) {
  if (this._header !== null) {
    throw error('ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client');
  }
  const lines = settle(this, given, reason, headers);
  this._storeHeader(this.statusCode, reasonOf(this), lines);
  return this;
};
prototype.writeHeader = prototype.writeHead;

prototype.writeContinue = function writeContinue(callback) {
  this._writeRaw('HTTP/1.1 100 Continue\r\n\r\n', 'latin1', callback);
  this._sent100 = true;
};
prototype.writeProcessing = function writeProcessing(callback) {
  this._writeRaw('HTTP/1.1 102 Processing\r\n\r\n', 'latin1', callback);
};
// One link, or several: <address>; name=value; ...
const LINK = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;
const LINK_WORDS = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

function linkValue(links) {
  const list = Array.isArray(links) ? links : [links];
  for (const one of list) {
    if (typeof one !== 'string' || !LINK.test(one)) {
      throw invalidArgValue('hints', links, LINK_WORDS);
    }
  }
  return list.join(', ');
}

prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = linkValue(hints.link);
  if (link.length === 0) return;
  let head = `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n`;
  for (const name of Object.keys(hints)) {
    if (name === 'link') continue;
    validateHeaderName(name);
    validateHeaderValue(name, hints[name]);
    head += `${name}: ${hints[name]}\r\n`;
  }
  validateHeaderValue('link', link);
  this._writeRaw(`${head}\r\n`, 'latin1', callback);
};

// May the whole answer go to the system in one call, past the socket's stream? When nothing waits
// there and the body needs no conversion.
function isSimple(response, chunk, encoding) {
  const conn = response._conn;
  return conn !== null && !response._headerSent && response.socket !== null &&
    (typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8') &&
    !response.finished && response[kOutput] === null && !response.strictContentLength &&
    response.writeHead === writeHead && conn.isClear();
}

// The text of a head that was made on the way to the system.
const SENT = 'HTTP/1.1\r\n\r\n';

prototype._endWith = function _endWith(chunk, encoding) {
  if (!isSimple(this, chunk, encoding)) {
    OutgoingMessage.prototype._endWith.call(this, chunk, encoding);
    return;
  }
  const { _header: header, _conn: conn } = this;
  let status;
  if (header === null) {
    const lines = settle(this, this.statusCode, undefined, undefined);
    const head = readHeaders(this, lines);
    const flags = headFlags(this, head, true) | (this.chunkedEncoding ? IN_CHUNKS : 0);
    status = native.respond(this.statusCode, reasonOf(this), head.text, flags,
      flags & ADD_TIMEOUT ? Math.floor(conn.server.keepAliveTimeout / 1000) : 0,
      conn.server.maxRequestsPerSocket, undefined, conn.handle, this._trailer,
      this._hasBody ? chunk ?? '' : null, onWritten, this);
    this._header = SENT;
  } else {
    status = native.respond(header, undefined, undefined,
      this.chunkedEncoding ? HEAD_IS_MADE | IN_CHUNKS : HEAD_IS_MADE, 0, 0, undefined,
      conn.handle, this._trailer, this._hasBody ? chunk ?? '' : null, onWritten, this);
  }
  this.finished = true;
  if (status === 1) nextTick(onFinish, this);
  else if (status === 0) this._isWaiting = true;
  else nextTick(failSocket, this.socket, status);
  if (this._events !== undefined) this.emit('prefinish');
};

// The system has taken an answer that had to wait; called on the response.
function onWritten(result) {
  this._isWaiting = false;
  if (result < 0) failSocket(this.socket, result);
  else onFinish(this);
}

function failSocket(socket, result) {
  if (socket !== null) socket.destroy(systemError(result, 'write'));
}

prototype._finish = function _finish() {
  if (this._events !== undefined) this.emit('prefinish');
};

const { writeHead } = prototype;

module.exports = { ServerResponse, linkValue };
