'use strict';
// One stream of a session: what both sides share.

const { Duplex } = require('stream');
const { constants } = require('internal/http2/constants');
const { h2Error, NghttpError } = require('internal/http2/errors');
const { toList, NONE } = require('internal/http2/headers');
const { native } = require('internal/http2/session');
const { setSilence, kTimeout } = require('internal/http2/timeout');
const { note } = require('internal/http2/measured');
const { invalidArgType, outOfRange } = require('internal/errors/errors');
const { validateNumber, validateFunction, validateObject } = require('internal/errors/validators');

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = constants;

const kAfterWrite = Symbol('afterWrite');
const USUAL = { __proto__: null, allowHalfOpen: true, decodeStrings: false,
  autoDestroy: false, emitClose: true };

function onPause() {}

function destroyThis() { this.destroy(); }

class Http2Stream extends Duplex {
  constructor(session, options) {
    super(options === undefined ? USUAL : { ...options, ...USUAL });
    this._session = session;
    this.on('pause', onPause);
  }

  _init(id) {
    const session = this._session;
    this._id = id;
    session._pending.delete(this);
    session._streams.set(id, this);
    session._measure?.streamBegins(session, this);
    this._touch();
    this.emit('ready');
  }

  get id() { return this._id; }

  get session() { return this._session; }

  get pending() { return this._id === undefined; }

  get aborted() { return this._wasAborted; }

  get closed() { return this._isClosedByUs || this._code !== undefined; }

  get rstCode() { return this._code; }

  get headersSent() { return this._headersSent; }

  get sentHeaders() { return this._sentHeaders; }

  get sentInfoHeaders() { return this._sentInfo ??= []; }

  get sentTrailers() { return this._sentTrailers; }

  get bufferSize() { return this.writableLength; }

  get endAfterHeaders() { return Boolean(this._endsAfterHeaders); }

  get state() {
    const box = this._session?._box;
    if (!box || this._id === undefined) return {};
    const [state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize] =
      native().streamState(box, this._id) ?? [1, 0, 0, 0, 0, 0];
    return { state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize };
  }

  _touch() { this[kTimeout]?.refresh(); }

  setTimeout(ms, callback) {
    if (this.destroyed) return this;
    return setSilence(this, 'timeout', ms, callback);
  }

  // A long write that makes progress is no silence.
  _onTimeout() {
    if (this.destroyed) return;
    const sent = this._session?._sentBytes;
    if (this[kAfterWrite] !== null && sent !== this._seenBytes) {
      this._seenBytes = sent;
      this[kTimeout] = setTimeout(() => this._onTimeout(), this.timeout).unref();
      return;
    }
    this.emit('timeout');
  }

  // What came is read later: until then the peer's window stays smaller.
  _takeData(chunk) {
    const session = this._session;
    this._touch();
    if (this._times !== undefined) {
      note(this, 'read');
      this._times.bytesRead += chunk.length;
    }
    if (this.destroyed || this._isRemoteEnded) {
      this._consumeBytes(chunk.length);
      return;
    }
    this._unread += chunk.length;
    if (this.push(chunk)) this._consume();
  }

  _consume() {
    if (this._unread === 0) return;
    const count = this._unread;
    this._unread = 0;
    this._consumeBytes(count);
  }

  _consumeBytes(count) {
    const session = this._session;
    if (session === undefined || session._box === null) return;
    native().consume(session._box, this._id, count);
    session._schedule();
  }

  _read() {
    if (this.destroyed) {
      this.push(null);
      return;
    }
    this._consume();
  }

  _takeEnd() {
    if (this._isRemoteEnded) return;
    this._isRemoteEnded = true;
    this.push(null);
    // Nobody may be listening: a stream without a body is at its end at once.
    if (this._isBodyless) this.resume();
  }

  _takeClose(code) {
    if (this.destroyed) return;
    this._code ??= code;
    this._aborted();
    this._finishWrites();
    if (!this._isRemoteEnded) {
      this._isRemoteEnded = true;
      this.push(null);
    }
    const isUnread = code !== NGHTTP2_NO_ERROR && this.readableLength > 0;
    const error = closeError(this, code);
    if (error || isUnread || this.readableEnded || !this.readable ||
        this._readableState.errored) {
      this.destroy(error);
      return;
    }
    this.on('end', destroyThis);
    if (this.readableLength === 0 && this._readableState.flowing === null &&
        this.listenerCount('readable') === 0) this.resume();
    else this.read(0);
  }

  // Writes that nobody will send any more.
  _finishWrites() {
    const callback = this[kAfterWrite];
    if (callback !== null) {
      this[kAfterWrite] = null;
      callback();
    }
    if (!this._writableState.ending) this.end();
  }

  // What ends before its writer has said the last word is aborted.
  _aborted() {
    if (this._writableState.ending || this._wasAborted || this.destroyed) return;
    this._wasAborted = true;
    this.emit('aborted');
  }

  _sessionDestroyed(error, code) {
    if (this.destroyed) return;
    if (this._code === undefined && !this._isClosedByUs) {
      this._code = code ?? (error ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_CANCEL);
    }
    this._aborted();
    if (!this._isRemoteEnded) {
      this._isRemoteEnded = true;
      this.push(null);
    }
    if (!this.writableEnded) this.end();
    this.destroy(error);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { format } = require('util');
    return `Http2Stream ${format({ id: this._id ?? '<pending>', closed: this.closed,
      destroyed: this.destroyed, state: this.state, readableState: this._readableState,
      writableState: this._writableState })}`;
  }

  _write(data, encoding, callback) {
    const isText = typeof data === 'string' && encoding !== 'utf8' && encoding !== 'utf-8';
    this._writeAll([isText ? Buffer.from(data, encoding) : data], callback);
  }

  _writev(chunks, callback) {
    this._writeAll(chunks.map(({ chunk, encoding }) =>
      (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)), callback);
  }

  _writeAll(chunks, callback) {
    if (this.pending) {
      this.once('ready', () => this._writeAll(chunks, callback));
      return;
    }
    this._touch();
    if (!this._headersSent) this._proceed();
    const session = this._session;
    if (this.destroyed || session?._box == null) {
      callback();
      return;
    }
    let size = 0;
    for (let i = 0; i < chunks.length; i++) {
      const count = native().write(session._box, this._id, chunks[i]);
      if (count < 0) break;
      size += count;
    }
    if (size === 0) {
      process.nextTick(callback);
      return;
    }
    if (this._times !== undefined) this._times.bytesWritten += size;
    this[kAfterWrite] = callback;
    this._endEarly();
    session._writing.add(this);
    session._schedule();
  }

  _takeSent() {
    this._touch();
    note(this, 'sent');
    const callback = this[kAfterWrite];
    if (callback === null) return;
    this[kAfterWrite] = null;
    callback();
  }

  // The end travels with the last bytes where it is known already.
  _endEarly() {
    const state = this._writableState;
    if (state.ending && !this._isEnded && !this._isSendingFile &&
        this.writableLength === (state.writelen || 0) &&
        (!this._waitsForTrailers || this._hasNoTrailers)) this._sendEnd();
  }

  _sendEnd() {
    if (this._isEnded) return;
    this._isEnded = true;
    if (this._session?._box) {
      native().end(this._session._box, this._id, this._hasNoTrailers);
    }
    this._session?._schedule();
  }

  _final(callback) {
    if (this.pending) {
      this.once('ready', () => this._final(callback));
      return;
    }
    if (!this._headersSent && !this._isHead) this._proceed();
    if (this._headersSent && !this._isSendingFile) this._sendEnd();
    callback();
    this._afterFinal();
  }

  _afterFinal() {}

  _wantTrailers() {
    this._areTrailersReady = true;
    if (!this.emit('wantTrailers')) this.sendTrailers({});
  }

  sendTrailers(headers) {
    if (this.destroyed || this.closed) throw h2Error('INVALID_STREAM');
    if (this._sentTrailers) throw h2Error('TRAILERS_ALREADY_SENT');
    if (!this._areTrailersReady) throw h2Error('TRAILERS_NOT_READY');
    validateObject(headers, 'headers');
    headers = { __proto__: null, ...headers };
    const list = toList(headers, NONE);
    this._sentTrailers = headers;
    if (list.length === 0) {
      this._session._submit('trailers', this._id, []);
      return;
    }
    const status = this._session._submit('trailers', this._id, list);
    if (status < 0) this.destroy(new NghttpError(status));
  }

  priority(options) {
    if (this.destroyed) throw h2Error('INVALID_STREAM');
    const { parent, weight, exclusive, silent } = readPriority(options);
    const send = () => {
      if (parent === this._id) throw h2Error('STREAM_SELF_DEPENDENCY');
      this._session?._submit('priority', this._id, parent, weight, exclusive, silent);
    };
    if (this.pending) this.once('ready', send);
    else send();
  }

  close(code = NGHTTP2_NO_ERROR, callback) {
    validateNumber(code, 'code');
    if (!Number.isInteger(code)) throw outOfRange('code', 'an integer', code);
    if (code < 0 || code > 2 ** 32 - 1) {
      throw outOfRange('code', '>= 0 && <= 4294967295', code);
    }
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (callback !== undefined) this.once('close', callback);
    if (this.closed) return;
    this._isClosedByUs = true;
    this._code = code;
    this._aborted();
    const send = () => {
      if (this.destroyed) return;
      if (code === NGHTTP2_NO_ERROR && !this.writableFinished) {
        if (!this.writableEnded) this.end();
        this.once('finish', () => setImmediate(() => this._reset(code)));
      } else {
        this._reset(code);
      }
    };
    if (this.pending) this.once('ready', send);
    else send();
  }

  _reset(code) {
    if (this.destroyed || this._session?._box == null) return;
    this._session._reset(this._id, code);
  }

  destroy(error, callback) {
    this._aborted();
    return super.destroy(error, callback);
  }

  _destroy(error, callback) {
    const session = this._session;
    if (this[kTimeout] !== null) {
      clearTimeout(this[kTimeout]);
      this[kTimeout] = null;
    }
    let code = this._code;
    code ??= !error ? NGHTTP2_NO_ERROR
      : error.name === 'AbortError' ? NGHTTP2_CANCEL : NGHTTP2_INTERNAL_ERROR;
    const isOpen = this._code === undefined || this._isClosedByUs;
    this._code = code;
    if (session && session._box !== null && this._id !== undefined && isOpen) {
      if (!this._isEnded || !this._isRemoteEnded || code !== NGHTTP2_NO_ERROR) {
        session._reset(this._id, code);
      }
    }
    const after = this[kAfterWrite];
    if (after !== null) {
      this[kAfterWrite] = null;
      after(error ?? undefined);
    }
    if (!error && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL) {
      error = h2Error('STREAM_ERROR', code);
    }
    if (!this._isRemoteEnded) {
      this._isRemoteEnded = true;
      this.push(null);
    }
    this._session = undefined;
    if (session) session._forget(this);
    callback(error);
  }
}

// What a stream starts with lives here: most streams never change most of it.
Object.assign(Http2Stream.prototype, {
  _id: undefined,
  _code: undefined,
  _isClosedByUs: false, // close() was called
  _isSendingFile: false,
  _isEnded: false, // the last frame of ours has been queued
  _wasAborted: false,
  _isRemoteEnded: false,
  _isBodyless: false,
  _endsAfterHeaders: false,
  _isHead: false,
  _unread: 0, // bytes that the peer may not send again yet
  _headersSent: false,
  _sentHeaders: undefined,
  _sentInfo: undefined,
  _sentTrailers: undefined,
  _areTrailersReady: false,
  _waitsForTrailers: false,
  _hasNoTrailers: false,
  [kTimeout]: null,
  _times: undefined,
  _context: undefined,
  [kAfterWrite]: null,
});

function closeError(stream, code) {
  if (code === NGHTTP2_NO_ERROR || code === NGHTTP2_CANCEL) return undefined;
  return h2Error('STREAM_ERROR', code);
}

function readPriority(options) {
  validateObject(options, 'options');
  const { weight = constants.NGHTTP2_DEFAULT_WEIGHT, parent = 0, exclusive = false,
    silent = false } = options;
  const check = (name, value, kind) => {
    // eslint-disable-next-line valid-typeof
    if (typeof value !== kind) throw invalidArgType(`options.${name}`, kind, value);
  };
  check('weight', weight, 'number');
  check('parent', parent, 'number');
  check('exclusive', exclusive, 'boolean');
  check('silent', silent, 'boolean');
  return { weight, parent, exclusive, silent };
}

module.exports = { Http2Stream, readPriority };
