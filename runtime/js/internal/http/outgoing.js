'use strict';
// A message that goes out: what responses and requests share.

const Stream = require('stream');
const native = binding('http');
const { invalidArgType } = require('internal/errors/errors');
const { error, isToken, isValue, validateHeaderName, validateHeaderValue } =
  require('internal/http/common');
const { kHeaders, validateValue, readHeaders, headFlags, ADD_TIMEOUT } =
  require('internal/http/outgoing_head');

const HIGH_WATER_MARK = 16 * 1024;
const kHighWaterMark = Symbol('kHighWaterMark');
const kErrored = Symbol('kErrored');
const kCorked = Symbol('kCorked');
const kNeedDrain = Symbol('kNeedDrain');
const kOutputSize = Symbol('kOutputSize');
const kBytesWritten = Symbol('kBytesWritten');
const kOutput = Symbol('kOutput');
const nop = () => {};

function OutgoingMessage(options) {
  if (options && options.highWaterMark !== undefined) this[kHighWaterMark] = options.highWaterMark;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// What a message starts with lives here: most messages never change most of it.
const { prototype } = OutgoingMessage;
Object.assign(prototype, {
  _events: undefined,
  socket: null,
  finished: false,
  destroyed: false,
  [kOutput]: null, // what waits for a connection: { data, encoding, callback }
  [kHeaders]: null,
  [kErrored]: null,
  _header: null,
  _headerSent: false,
  _hasBody: true,
  _rejectsBody: false,
  _contentLength: null,
  shouldKeepAlive: true,
  chunkedEncoding: false,
  writable: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  maxRequestsOnConnectionReached: false,
  strictContentLength: false,
  _last: false,
  _closed: false,
  _isWaiting: false, // the system has not yet taken what was written past the socket's stream
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  _defaultKeepAlive: true,
  _maxRequestsPerSocket: 0,
  _keepAliveTimeout: 0,
  [kHighWaterMark]: HIGH_WATER_MARK,
  _trailer: '',
  _onPendingData: nop,
  _onFinished: nop,
  [kCorked]: 0,
  [kNeedDrain]: false,
  [kOutputSize]: 0,
  [kBytesWritten]: 0,
});

function property(name, get, set) {
  Object.defineProperty(prototype, name, { configurable: true, enumerable: true, get, set });
}
property('connection', function connection() { return this.socket; },
  function setConnection(socket) { this.socket = socket; });
property('outputData', function outputData() { return this[kOutput] ?? []; },
  function setOutputData(list) { this[kOutput] = list?.length > 0 ? list : null; });
// The names of headers and their values, as old programs look at them.
function oldProperty(name, get, set) {
  const { deprecate } = require('util');
  const words = `OutgoingMessage.prototype.${name} is deprecated`;
  let warnedGet;
  let warnedSet;
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get() { return (warnedGet ??= deprecate(get, words, 'DEP0066')).call(this); },
    set(value) { (warnedSet ??= deprecate(set, words, 'DEP0066')).call(this, value); },
  });
}
oldProperty('_headers', function getHeaders() { return this.getHeaders(); },
  function setHeaders(value) {
    this[kHeaders] = null;
    if (value === null || typeof value !== 'object') return;
    for (const name of Object.keys(value)) {
      (this[kHeaders] ??= { __proto__: null })[name.toLowerCase()] = [name, value[name]];
    }
  });
oldProperty('_headerNames', function getNames() {
  const headers = this[kHeaders];
  if (headers === null) return null;
  const names = { __proto__: null };
  for (const key of Object.keys(headers)) [names[key]] = headers[key];
  return names;
}, function setNames(value) {
  const headers = this[kHeaders];
  if (value === null || typeof value !== 'object' || headers === null) return;
  for (const key of Object.keys(value)) if (headers[key]) headers[key][0] = value[key];
});
property('headersSent', function headersSent() { return this._header !== null; });
property('writableEnded', function writableEnded() { return this.finished; });
property('writableObjectMode', () => false);
property('writableHighWaterMark', function mark() {
  return this.socket ? this.socket.writableHighWaterMark : this[kHighWaterMark];
});
property('writableLength', function length() {
  return this[kOutputSize] + (this.socket ? this.socket.writableLength : 0);
});
property('outputSize', function outputSize() { return this[kOutputSize]; },
  function setOutputSize(value) { this[kOutputSize] = value; });
property('writableCorked', function corked() { return this[kCorked]; });
property('writableNeedDrain', function needDrain() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});
property('writableFinished', function writableFinished() {
  return this.finished && this[kOutputSize] === 0 && !this._isWaiting &&
    (!this.socket || this.socket.writableLength === 0);
});
property('errored', function errored() { return this[kErrored] ?? undefined; });
property('closed', function closed() { return this._closed; });

function toHeaderLines(name, value) {
  if (Array.isArray(value)) {
    let lines = '';
    for (const one of value) lines += `${name}: ${one}\r\n`;
    return lines;
  }
  return `${name}: ${value}\r\n`;
}

function refuseAfterSent(message, verb) {
  if (message._header !== null) {
    throw error('ERR_HTTP_HEADERS_SENT',
      `Cannot ${verb} headers after they are sent to the client`);
  }
}

prototype.setHeader = function setHeader(name, value) {
  if (this._header !== null) refuseAfterSent(this, 'set');
  if (typeof name !== 'string' || value === undefined || !isToken(name) || !isValue(value)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  (this[kHeaders] ??= { __proto__: null })[name.toLowerCase()] = [name, value];
  return this;
};
prototype.setHeaders = function setHeaders(headers) {
  refuseAfterSent(this, 'set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' ||
      typeof headers.get !== 'function') {
    throw invalidArgType('headers', ['Headers', 'Map'], headers);
  }
  const cookies = [];
  for (const [name, value] of headers) {
    if (name === 'set-cookie') cookies.push(...(Array.isArray(value) ? value : [value]));
    else this.setHeader(name, value);
  }
  if (cookies.length) this.setHeader('set-cookie', cookies);
  return this;
};
prototype.appendHeader = function appendHeader(name, value) {
  refuseAfterSent(this, 'append');
  validateHeaderName(name);
  validateValue(name, value);
  const headers = this[kHeaders] ??= { __proto__: null };
  const before = headers[name.toLowerCase()];
  if (before === undefined) {
    headers[name.toLowerCase()] = [name, value];
  } else {
    before[1] = [].concat(before[1], value);
  }
  return this;
};
prototype.getHeader = function getHeader(name) {
  if (typeof name !== 'string') throw invalidArgType('name', 'string', name);
  return this[kHeaders]?.[name.toLowerCase()]?.[1];
};
prototype.getHeaderNames = function getHeaderNames() {
  return this[kHeaders] === null ? [] : Object.keys(this[kHeaders]);
};
prototype.getRawHeaderNames = function getRawHeaderNames() {
  return this[kHeaders] === null ? [] : Object.values(this[kHeaders]).map(([name]) => name);
};
prototype._renderHeaders = function renderHeaders() {
  if (this._header) {
    throw error('ERR_HTTP_HEADERS_SENT', 'Cannot render headers after they are sent to the client');
  }
  const found = {};
  for (const [name, value] of Object.values(this[kHeaders] ?? {})) found[name] = value;
  return found;
};
prototype.getHeaders = function getHeaders() {
  const copy = { __proto__: null };
  for (const name in this[kHeaders]) copy[name] = this[kHeaders][name][1];
  return copy;
};
prototype.hasHeader = function hasHeader(name) {
  if (typeof name !== 'string') throw invalidArgType('name', 'string', name);
  return this[kHeaders] !== null && this[kHeaders][name.toLowerCase()] !== undefined;
};
prototype.removeHeader = function removeHeader(name) {
  if (typeof name !== 'string') throw invalidArgType('name', 'string', name);
  refuseAfterSent(this, 'remove');
  const key = name.toLowerCase();
  if (key === 'connection') this._removedConnection = true;
  else if (key === 'content-length') this._removedContLen = true;
  else if (key === 'transfer-encoding') this._removedTE = true;
  else if (key === 'date') this.sendDate = false;
  if (this[kHeaders] !== null) delete this[kHeaders][key];
};

// `first` is a whole line, or a status with its reason.
prototype._storeHeader = function _storeHeader(first, reason, headers) {
  const head = readHeaders(this, headers);
  const flags = headFlags(this, head, false);
  this._header = native.head(first, reason, head.text, flags,
    flags & ADD_TIMEOUT ? Math.floor(this._keepAliveTimeout / 1000) : 0,
    this._maxRequestsPerSocket, this._contentLength);
  this._headerSent = false;
  if (head.expect) this._send('');
};

// The head goes with the first piece of data, in one write if both are text.
prototype._send = function _send(data, encoding, callback) {
  if (!this._headerSent) {
    const header = this._header ?? '';
    this._headerSent = true;
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) {
      // A head with a character above ASCII must not be sent as UTF-8.
      if (encoding === 'latin1' || isAscii(header)) {
        return this._writeRaw(header + data, encoding, callback);
      }
      if (data === '') return this._writeRaw(header, 'latin1', callback);
    }
    this._writeRaw(header, 'latin1', null);
  }
  return this._writeRaw(data, encoding, callback);
};

function isAscii(text) {
  return Buffer.byteLength(text) === text.length;
}

prototype._writeRaw = function _writeRaw(data, encoding, callback) {
  const { socket } = this;
  if (socket !== null && socket.destroyed) return false;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (socket !== null && socket._httpMessage === this && socket.writable) {
    if (this[kOutput] !== null) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  (this[kOutput] ??= []).push({ data, encoding, callback });
  this[kOutputSize] += data.length;
  this._onPendingData(data.length);
  return this[kOutputSize] < this[kHighWaterMark];
};

prototype._flushOutput = function _flushOutput(socket) {
  const list = this[kOutput];
  this[kOutput] = null;
  let result;
  if (list !== null && list.length === 1) {
    const [{ data, encoding, callback }] = list;
    result = this._writesPast(data, encoding, callback) || socket.write(data, encoding, callback);
  } else if (list !== null) {
    socket.cork();
    for (const { data, encoding, callback } of list) {
      result = socket.write(data, encoding, callback);
    }
    socket.uncork();
  }
  this._onPendingData(-this[kOutputSize]);
  this[kOutputSize] = 0;
  return result;
};

// A whole message may go past the socket's stream.
prototype._writesPast = () => false;

// What waited for the connection goes out.
prototype._flush = function _flush() {
  const { socket } = this;
  if (!socket || !socket.writable) return;
  const result = this._flushOutput(socket);
  if (this.finished) this._finish();
  else if (result && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

prototype.flushHeaders = function flushHeaders() {
  if (this._header === null) this._implicitHeader();
  if (!this._headerSent && !this.finished) this._send('');
};

prototype._implicitHeader = function _implicitHeader() {
  throw error('ERR_METHOD_NOT_IMPLEMENTED', 'The _implicitHeader() method is not implemented');
};

prototype.addTrailers = function addTrailers(headers) {
  let text = '';
  const isList = Array.isArray(headers);
  for (const key of Object.keys(headers)) {
    const name = isList ? headers[key][0] : key;
    const value = isList ? headers[key][1] : headers[key];
    validateHeaderName(name, 'Trailer name');
    if (!(Array.isArray(value) ? value : [value]).every((one) => isValue(one))) {
      throw error('ERR_INVALID_CHAR', `Invalid character in trailer content ["${name}"]`,
        TypeError);
    }
    text += toHeaderLines(name, value);
  }
  this._trailer = text;
};

function checkChunk(chunk) {
  if (chunk === null) {
    throw error('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError);
  }
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw invalidArgType('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
}

function byteLength(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function failWrite(message, failure, callback) {
  process.nextTick(() => {
    callback(failure);
    if (message._closed) return;
    message[kErrored] ??= failure;
    message.emit('error', failure);
  });
}

function lengthMismatch(body, length) {
  return error('ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    `Response body's content-length of ${body} byte(s) does not match the content-length of ${
      length} byte(s) set in header`);
}

function mayCarry(message, size, isLast) {
  if (!message.strictContentLength || message._contentLength === null || message.chunkedEncoding ||
      message._removedContLen || !message._hasBody) return;
  const total = message[kBytesWritten] + size;
  if (total > message._contentLength || (isLast && total !== message._contentLength)) {
    throw lengthMismatch(total, message._contentLength);
  }
}

function uncorkLater(socket) {
  socket.uncork();
}

function writePiece(message, chunk, encoding, callback, fromEnd) {
  const size = byteLength(chunk, encoding);
  if (message._header === null) {
    if (fromEnd) message._contentLength ??= size;
    message._implicitHeader();
  }
  mayCarry(message, size, fromEnd);
  message[kBytesWritten] += size;
  if (!message._hasBody) {
    if (message._rejectsBody) {
      throw error('ERR_HTTP_BODY_NOT_ALLOWED',
        'Adding content for this request method or response status is not allowed.');
    }
    process.nextTick(callback);
    return true;
  }
  const { socket } = message;
  if (!fromEnd && socket !== null && !socket.writableCorked) {
    socket.cork();
    process.nextTick(uncorkLater, socket);
  }
  let result;
  if (message.chunkedEncoding && size !== 0) {
    message._send(`${size.toString(16)}\r\n`, 'latin1', null);
    message._send(chunk, encoding, null);
    result = message._send('\r\n', 'latin1', callback);
  } else {
    result = message._send(chunk, encoding, callback);
  }
  if (!result) message[kNeedDrain] = true;
  return result;
}

prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  callback ??= nop;
  checkChunk(chunk);
  let failure;
  if (this.finished) failure = error('ERR_STREAM_WRITE_AFTER_END', 'write after end');
  else if (this.destroyed) {
    failure = error('ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed');
  }
  if (failure) {
    if (this.destroyed) process.nextTick(callback, failure);
    else failWrite(this, failure, callback);
    return false;
  }
  return writePiece(this, chunk, encoding || 'utf8', callback, false);
};

function onFinish(message) {
  if (message.socket && message.socket._hadError) return;
  message._onFinished();
  if (message._events !== undefined) message.emit('finish');
}

prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (chunk !== null && chunk !== undefined) checkChunk(chunk);
  else chunk = null;
  if (this.finished) {
    const failure = chunk !== null ? error('ERR_STREAM_WRITE_AFTER_END', 'write after end')
      : error('ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished');
    if (chunk === null && typeof callback === 'function') {
      if (this.writableFinished) callback(failure);
      else this.on('finish', callback);
    }
    if (chunk !== null && !this.destroyed) failWrite(this, failure, callback || nop);
    return this;
  }
  if (typeof callback === 'function') this.once('finish', callback);
  this._endWith(chunk, encoding || 'utf8');
  return this;
};

prototype._endWith = function _endWith(chunk, encoding) {
  const { socket } = this;
  const corks = socket !== null && (this._header !== null || this.chunkedEncoding);
  if (corks) socket.cork();
  const done = () => onFinish(this);
  if (chunk !== null && chunk.length !== 0) {
    writePiece(this, chunk, encoding, nop, true);
  } else if (this._header === null) {
    this._contentLength = 0;
    this._implicitHeader();
  }
  mayCarry(this, 0, true);
  if (this._hasBody && this.chunkedEncoding) {
    this._send(`0\r\n${this._trailer}\r\n`, 'latin1', done);
  } else {
    this._send('', 'latin1', done);
  }
  if (corks) {
    // What write() holds back until the next tick goes out too.
    if (socket._writableState) socket._writableState.corked = 1;
    socket.uncork();
  }
  if (this[kCorked] !== 0) this[kCorked] = 0;
  this.finished = true;
  if (this[kOutput] === null && this.socket !== null && this.socket._httpMessage === this) {
    this._finish();
  }
};

prototype._finish = function _finish() {
  this.emit('prefinish');
};

prototype.cork = function cork() {
  this[kCorked]++;
  if (this.socket) this.socket.cork();
};
prototype.uncork = function uncork() {
  if (this[kCorked]) this[kCorked]--;
  if (this.socket) this.socket.uncork();
};

prototype.setTimeout = function setTimeout(ms, callback) {
  if (callback) this.on('timeout', callback);
  if (this.socket) this.socket.setTimeout(ms);
  else this.once('socket', (socket) => socket.setTimeout(ms));
  return this;
};

prototype.destroy = function destroy(failure) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = failure ?? null;
  if (this.socket) this.socket.destroy(failure);
  else this.once('socket', (socket) => socket.destroy(failure));
  return this;
};

prototype[Symbol.for('nodejs.rejection')] = function onRejection(failure) {
  this.destroy(failure);
};

prototype.pipe = function pipe() {
  this.emit('error', error('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
};

// The connection has room again.
prototype._onSocketDrain = function _onSocketDrain() {
  if (!this.destroyed && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

module.exports = { OutgoingMessage, kHighWaterMark, kErrored, kOutput, onFinish };
