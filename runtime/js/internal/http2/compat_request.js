'use strict';
const { Readable } = require('stream');
const { socketOf } = require('internal/http2/compat_socket');
const { invalidArgValue } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this._stream = stream;
    this._headers = headers;
    this._rawHeaders = rawHeaders;
    this._trailers = {};
    this._rawTrailers = [];
    this._isAborted = false;
    this._isDone = false;
    stream.on('trailers', (trailers, flags, raw) => {
      Object.assign(this._trailers, trailers);
      this._rawTrailers.push(...raw);
    });
    stream.on('end', () => {
      this._isEnded = true;
      this.push(null);
    });
    stream.on('error', () => {}); // the stream's own listeners hear of it
    stream.on('aborted', () => {
      if (this._isDone) return;
      this._isAborted = true;
      this.emit('aborted');
    });
    stream.on('close', () => this._finish());
    stream.on('timeout', () => this.emit('timeout'));
    this.on('pause', () => { if (!this._isDone) stream.pause(); });
    this.on('resume', () => { if (!this._isDone && this._isReading) stream.resume(); });
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
      stream.on('data', (chunk) => { if (!this.push(chunk)) stream.pause(); });
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

  get trailers() { return this._trailers; }

  get rawTrailers() { return this._rawTrailers; }

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

module.exports = { Http2ServerRequest };
