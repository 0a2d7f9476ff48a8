'use strict';
const { Readable } = require('stream');
const { kRequest, listen, socketOf } = require('internal/http2/compat_socket');
const { invalidArgValue } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

const USUAL = { __proto__: null, autoDestroy: false };

// Listeners of the stream; the request is found there until the stream is closed, so that both go
// without a search for circles.
function onTrailers(trailers, flags, raw) {
  const request = this[kRequest];
  if (request === undefined) return;
  Object.assign(request.trailers, trailers);
  request.rawTrailers.push(...raw);
}

function onEnd() {
  const request = this[kRequest];
  if (request === undefined) return;
  request._isEnded = true;
  request.push(null);
}

function onError() {} // the stream's own listeners hear of it

function onAborted() {
  const request = this[kRequest];
  if (request === undefined || request._isDone) return;
  request._isAborted = true;
  request.emit('aborted');
}

function onClose() {
  const request = this[kRequest];
  this[kRequest] = undefined;
  request?._finish();
}

function onTimeout() { this[kRequest]?.emit('timeout'); }

function onData(chunk) { if (this[kRequest]?.push(chunk) === false) this.pause(); }

// Listeners of the request.
function onPause() { if (!this._isDone) this._stream.pause(); }

function onResume() { if (!this._isDone && this._isReading) this._stream.resume(); }

const FROM_STREAM = ['trailers', onTrailers, 'end', onEnd, 'error', onError, 'aborted', onAborted,
  'close', onClose, 'timeout', onTimeout];
const FROM_READERS = ['pause', onPause, 'resume', onResume];

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super(options === undefined ? USUAL : { ...USUAL, ...options });
    this._stream = stream;
    this._headers = headers;
    this._rawHeaders = rawHeaders;
    stream[kRequest] = this;
    listen(stream, FROM_STREAM);
    listen(this, FROM_READERS);
  }

  _finish() {
    if (this._isDone) return;
    this._isDone = true;
    if (!this._isEnded) this.push(null);
    // Nobody has looked: there is an end all the same.
    if (!this._isReading && this.readableFlowing === null) this.resume();
    this._isClosed = true;
    this.emit('close');
  }

  _read() {
    const stream = this._stream;
    if (this._isDone) return;
    if (!this._isReading) {
      this._isReading = true;
      stream.on('data', onData);
    } else {
      process.nextTick(() => { if (!stream.destroyed) stream.resume(); });
    }
  }

  get aborted() { return this._isAborted; }

  get complete() {
    return this._isAborted || this.readableEnded || this._isDone || Boolean(this._stream.destroyed);
  }

  get stream() { return this._stream; }

  get headers() { return this._headers; }

  get rawHeaders() { return this._rawHeaders; }

  get trailers() { return this._trailers ??= {}; }

  get rawTrailers() { return this._rawTrailers ??= []; }

  get httpVersionMajor() { return 2; }

  get httpVersionMinor() { return 0; }

  get httpVersion() { return '2.0'; }

  get socket() {
    return socketOf(this._stream);
  }

  get connection() { return this.socket; }

  get method() { return this._headers[':method']; }

  set method(method) {
    validateString(method, 'method');
    if (method.trim() === '') throw invalidArgValue('method', method);
    this._headers[':method'] = method;
  }

  get authority() {
    return this._headers[':authority'] ?? this._headers.host;
  }

  get scheme() { return this._headers[':scheme']; }

  get url() { return this._headers[':path']; }

  set url(url) { this._headers[':path'] = url; }

  setTimeout(ms, callback) {
    if (!this._isDone) this._stream.setTimeout(ms, callback);
    return this;
  }
}

Object.assign(Http2ServerRequest.prototype, {
  _trailers: undefined,
  _rawTrailers: undefined,
  _isAborted: false,
  _isDone: false,
  _isEnded: false,
  _isReading: false,
  _isClosed: false,
});

module.exports = { Http2ServerRequest };
