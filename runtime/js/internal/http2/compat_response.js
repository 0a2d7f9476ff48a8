'use strict';
const Stream = require('stream');
const { constants } = require('internal/http2/constants');
const { h2Error } = require('internal/http2/errors');
const { isConnectionHeader, PSEUDO, sensitiveHeaders } = require('internal/http2/headers');
const { kResponse, listen, socketOf } = require('internal/http2/compat_socket');
const { isToken, isValue } = require('internal/http/common');
const { withCode, invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateString, validateFunction, validateObject } = require('internal/errors/validators');

const { NGHTTP2_NO_ERROR } = constants;
let isMessageWarned = false;

function warnOfMessage() {
  if (isMessageWarned) return;
  isMessageWarned = true;
  process.emitWarning('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)',
    'UnsupportedWarning');
}

let isConnectionWarned = false;

function warnOfConnection() {
  if (isConnectionWarned) return;
  isConnectionWarned = true;
  process.emitWarning('The provided connection header is not valid, the value will be dropped ' +
    'from the header and will never be in use.', 'UnsupportedWarning');
}

function checkField(name, value) {
  if (name === '' || typeof name !== 'string' || (!isToken(name) && name[0] !== ':')) {
    throw withCode(TypeError, 'ERR_INVALID_HTTP_TOKEN',
      `Header name must be a valid HTTP token ["${name}"]`);
  }
  if (name[0] === ':') throw h2Error('PSEUDOHEADER_NOT_ALLOWED');
  if (value === undefined || value === null) {
    throw h2Error('INVALID_HEADER_VALUE', value, name);
  }
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isValue(`${one}`)) {
      throw withCode(TypeError, 'ERR_INVALID_CHAR',
        `Invalid character in header content ["${name}"]`);
    }
  }
}

// Listeners of the stream; the response is found there until the stream is closed.
function onDrain() { this[kResponse]?.emit('drain'); }

function onTimeout() { this[kResponse]?.emit('timeout'); }

function onWantTrailers() {
  if (!this.destroyed && !this.closed) this.sendTrailers(this[kResponse]?._lastTrailers ?? {});
}

function onClose() {
  const response = this[kResponse];
  this[kResponse] = undefined;
  if (response === undefined || response._isDone) return;
  response._isDone = true;
  response._finished();
  response.emit('close');
}

const FROM_STREAM = ['drain', onDrain, 'timeout', onTimeout, 'wantTrailers', onWantTrailers,
  'close', onClose];

class Http2ServerResponse extends Stream {
  constructor(stream, options) {
    super(options);
    this._stream = stream;
    this.writable = true;
    stream[kResponse] = this;
    listen(stream, FROM_STREAM);
  }

  _setField(name, value) { (this._fields ??= { __proto__: null })[name] = value; }

  _finished() {
    if (this._isFinishEmitted) return;
    this._isFinishEmitted = true;
    this.emit('finish');
  }

  get _header() { return this.headersSent; }

  get writableEnded() { return this._isEnding; }

  get finished() { return this._isEnding; }

  get socket() {
    if (this._isDone) return undefined;
    return socketOf(this._stream);
  }

  get connection() { return this.socket; }

  get stream() { return this._stream; }

  get headersSent() { return this._stream.headersSent; }

  get sendDate() { return this._isDateSent; }

  set sendDate(value) { this._isDateSent = Boolean(value); }

  get statusCode() { return this._status; }

  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw h2Error('INFO_STATUS_NOT_ALLOWED');
    if (code < 100 || code > 599) throw h2Error('STATUS_INVALID', code);
    this._status = code;
  }

  get statusMessage() {
    warnOfMessage();
    return '';
  }

  set statusMessage(text) { warnOfMessage(); }

  get writableCorked() { return this._stream.writableCorked; }

  get writableHighWaterMark() { return this._stream.writableHighWaterMark; }

  get writableFinished() { return this._stream.writableFinished; }

  get writableLength() { return this._stream.writableLength; }

  get writableNeedDrain() { return this._stream.writableNeedDrain; }

  setTrailer(name, value) {
    validateString(name, 'name');
    name = name.trim().toLowerCase();
    checkField(name, value);
    (this._lastTrailers ??= { __proto__: null })[name] = value;
  }

  addTrailers(headers) {
    for (const name of Object.keys(headers)) this.setTrailer(name, headers[name]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this._fields?.[name.trim().toLowerCase()];
  }

  getHeaderNames() { return this._fields === null ? [] : Object.keys(this._fields); }

  getHeaders() { return { __proto__: null, ...this._fields }; }

  hasHeader(name) {
    validateString(name, 'name');
    return this._fields !== null && Object.hasOwn(this._fields, name.trim().toLowerCase());
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this._stream.headersSent) throw h2Error('HEADERS_SENT');
    name = name.trim().toLowerCase();
    if (name === 'date') this._isDateSent = false;
    if (this._fields !== null) delete this._fields[name];
  }

  setHeader(name, value) {
    validateString(name, 'name');
    name = name.trim().toLowerCase();
    checkField(name, value);
    if (isConnectionHeader(name, value)) {
      warnOfConnection();
      return;
    }
    if (this._stream.headersSent) throw h2Error('HEADERS_SENT');
    if (this._isDone || this._stream.destroyed) return;
    this._setField(name, value);
  }

  appendHeader(name, value) {
    validateString(name, 'name');
    name = name.trim().toLowerCase();
    checkField(name, value);
    if (this._stream.headersSent) throw h2Error('HEADERS_SENT');
    const before = this._fields?.[name];
    this._setField(name, before === undefined ? value : [].concat(before, value));
  }

  flushHeaders() {
    if (!this._isDone && !this._stream.headersSent && !this._stream.destroyed) {
      this.writeHead(this._status);
    }
  }

  writeHead(status, message, headers) {
    if (typeof message === 'string') warnOfMessage();
    else headers = message;
    if (this._isDone || this._stream.destroyed || this._stream.closed) return this;
    if (this._stream.headersSent) throw h2Error('HEADERS_SENT');
    if (Array.isArray(headers)) {
      if (headers.length % 2 === 1 && !Array.isArray(headers[0])) {
        throw invalidArgValue('headers', headers);
      }
      const pairs = Array.isArray(headers[0]) ? headers
        : headers.filter((_, i) => i % 2 === 0).map((name, i) => [name, headers[i * 2 + 1]]);
      const seen = new Set();
      for (const [name, value] of pairs) {
        const key = `${name}`.toLowerCase();
        if (seen.has(key)) this.appendHeader(name, value);
        else this._fromHead(name, value);
        seen.add(key);
      }
    } else if (headers !== null && typeof headers === 'object') {
      for (const name of Object.keys(headers)) this._fromHead(name, headers[name]);
      if (headers[sensitiveHeaders]) this._setField(sensitiveHeaders, headers[sensitiveHeaders]);
    }
    this.statusCode = status;
    this._begin();
    return this;
  }

  _fromHead(name, value) {
    if (PSEUDO.has(name)) throw h2Error('PSEUDOHEADER_NOT_ALLOWED');
    this.setHeader(name, value);
  }

  _begin(ends = false) {
    const stream = this._stream;
    const headers = { __proto__: null, ...this._fields, ':status': this._status };
    const endStream = ends && !this._hasTrailers();
    if (stream.respond === respond) {
      stream._check();
      stream._answer(headers, endStream, !endStream, this._isDateSent);
    } else {
      stream.respond(headers, { endStream, waitForTrailers: !endStream,
        sendDate: this._isDateSent });
    }
  }

  _hasTrailers() {
    return this._lastTrailers !== undefined && Object.keys(this._lastTrailers).length > 0;
  }

  cork() { this._stream.cork(); }

  uncork() { this._stream.uncork(); }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    const stream = this._stream;
    let failure;
    if (this._isEnding) failure = withCode(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end');
    else if (this._isDone) failure = h2Error('INVALID_STREAM');
    else if (stream.destroyed) return false;
    if (failure) {
      if (typeof callback === 'function') process.nextTick(callback, failure);
      this.destroy(failure);
      return false;
    }
    if (!stream.headersSent) this.writeHead(this._status);
    return stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') {
      callback = chunk;
      chunk = null;
    } else if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    const stream = this._stream;
    if (this._isEnding || this._isDone || stream.destroyed) {
      if (typeof callback === 'function') {
        if (this._isEnding && !this._isFinishEmitted) this.once('finish', callback);
        else process.nextTick(callback);
      }
      this._isEnding = true;
      return this;
    }
    if (typeof callback === 'function') {
      if (stream.writableEnded) this.once('finish', callback);
      else stream.once('finish', callback);
    }
    const hasBody = chunk !== null && chunk !== undefined && chunk.length !== 0;
    if (!stream.headersSent) {
      if (hasBody) this.writeHead(this._status);
      else this._begin(true);
    }
    this._isEnding = true;
    if (!this._hasTrailers() &&
        stream.listenerCount('wantTrailers') === 1) stream._hasNoTrailers = true;
    if (hasBody && !stream.writableEnded && !stream.headRequest) stream.write(chunk, encoding);
    if (!stream.writableEnded) stream.end();
    return this;
  }

  destroy(error) {
    if (this._isDone) return this;
    this._stream.destroy(error);
    return this;
  }

  setTimeout(ms, callback) {
    if (!this._isDone) this._stream.setTimeout(ms, callback);
    return this;
  }

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this._isDone || this._stream.destroyed) {
      process.nextTick(callback, h2Error('INVALID_STREAM'));
      return;
    }
    this._stream.pushStream(headers, {}, (error, stream, _, options) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream, options || undefined));
    });
  }

  writeContinue() {
    const stream = this._stream;
    if (stream.headersSent || this._isDone || stream.destroyed) return false;
    stream.additionalHeaders({ ':status': 100 });
    return true;
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const { link } = hints;
    const stream = this._stream;
    if (stream.headersSent || this._isDone || stream.destroyed) return false;
    if (link === undefined || link === null) return false;
    const value = checkLinks(link);
    if (value === '') return false;
    stream.additionalHeaders({ ...hints, ':status': 103, link: value });
    return true;
  }
}

const { respond } = require('internal/http2/server_stream').ServerHttp2Stream.prototype;
Object.assign(Http2ServerResponse.prototype, {
  _fields: null,
  _lastTrailers: undefined,
  _status: 200,
  _isEnding: false,
  _isDone: false,
  _isDateSent: true,
  _isFinishEmitted: false,
});

const LINK = /^(?:<[^>]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/;

function checkLinks(link) {
  const list = Array.isArray(link) ? link : [link];
  for (const one of list) {
    if (typeof one !== 'string' || !LINK.test(one)) {
      throw invalidArgValue('hints', link, 'must be an array or string of format ' +
        '"</styles.css>; rel=preload; as=style"');
    }
  }
  return list.join(', ');
}

module.exports = { Http2ServerResponse, NGHTTP2_NO_ERROR, invalidArgType };
