'use strict';
// The server's side of a stream: responses, files, pushes.

const fs = require('fs');
const { constants } = require('internal/http2/constants');
const { Http2Stream } = require('internal/http2/stream');
const { native } = require('internal/http2/session');
const { h2Error, NghttpError } = require('internal/http2/errors');
const { toList, checkObject, REQUEST, RESPONSE, sensitiveHeaders } =
  require('internal/http2/headers');
const { utcDate } = require('internal/http2/date');
const { invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateFunction, validateNumber, validateObject } = require('internal/errors/validators');

const BODYLESS = new Set([204, 205, 304]);
const NOTHING = {};

function responseHeaders(stream, given, options) {
  checkObject(given, 'headers');
  const headers = { __proto__: null, ...given };
  if (given?.[sensitiveHeaders]) headers[sensitiveHeaders] = given[sensitiveHeaders];
  return { headers, status: complete(headers, options.sendDate) };
}

// Adds what every response has; gives its status.
function complete(headers, sendDate) {
  if (headers[':status'] === undefined || headers[':status'] === null) headers[':status'] = 200;
  const status = headers[':status'] |= 0;
  if ((sendDate ?? true) && headers.date === undefined) headers.date = utcDate();
  return status;
}

class ServerHttp2Stream extends Http2Stream {
  constructor(session, id, options, headers) {
    super(session, options);
    this._request = headers;
    if (headers[':method'] === 'HEAD') this._isHead = true;
    this.server = session.server;
    this._init(id);
  }

  get pushAllowed() {
    const session = this._session;
    return !this.destroyed && !this._wasAborted && !this.closed && session !== undefined &&
      !session.destroyed && Boolean(session.remoteSettings.enablePush);
  }

  get headRequest() { return this._isHead; }

  _proceed() { if (!this.closed && !this.destroyed) this.respond(); }

  // Answered, and nobody looks at what the client still sends: it need not go on. A request that
  // is resumed begins to read a tick later.
  _afterFinal() {
    const hasTrailers = this._waitsForTrailers && !this._hasNoTrailers;
    if (hasTrailers || this._isSendingFile || this._isReadOrEnded()) return;
    setImmediate(() => { if (!this.destroyed && !this._isReadOrEnded()) this.close(); });
  }

  _isReadOrEnded() {
    return this._isRemoteEnded || this._readableState.flowing !== null ||
      this.listenerCount('readable') > 0;
  }

  _check() {
    if (this.destroyed || this.closed) throw h2Error('INVALID_STREAM');
    if (this._headersSent) throw h2Error('HEADERS_SENT');
  }

  respond(given, options) {
    this._check();
    if (options !== undefined) validateObject(options, 'options');
    const { endStream, waitForTrailers, sendDate } = options ?? NOTHING;
    checkObject(given, 'headers');
    const headers = { __proto__: null, ...given };
    if (given?.[sensitiveHeaders]) headers[sensitiveHeaders] = given[sensitiveHeaders];
    this._answer(headers, Boolean(endStream), Boolean(waitForTrailers), sendDate);
  }

  // The headers are no longer the caller's.
  _answer(headers, ends, waits, sendDate) {
    const status = complete(headers, sendDate);
    checkStatus(status);
    if (BODYLESS.has(status) || this._isHead) {
      ends = true;
      waits = false;
    }
    const list = toList(headers, RESPONSE);
    if (waits) this._waitsForTrailers = true;
    this._sentHeaders = headers;
    this._headersSent = true;
    if (ends) this._isEnded = !waits;
    const session = this._session;
    const result = session._box === null ? -1
      : native().respond(session._box, this._id, list, ends, waits);
    session._schedule();
    if (result < 0) {
      this.destroy(new NghttpError(result));
      return;
    }
    if (ends && !this._writableState.ending) this.end();
  }

  additionalHeaders(given) {
    if (this.destroyed || this.closed) throw h2Error('INVALID_STREAM');
    if (this._headersSent) throw h2Error('HEADERS_AFTER_RESPOND');
    checkObject(given, 'headers');
    const headers = { __proto__: null, ...given };
    if (headers[':status'] !== undefined && headers[':status'] !== null) {
      const status = headers[':status'] |= 0;
      if (status === 101) throw h2Error('STATUS_101');
      if (status < 100 || status >= 200) throw h2Error('INVALID_INFO_STATUS', status);
    }
    const list = toList(headers, RESPONSE);
    this.sentInfoHeaders.push(headers);
    const result = this._session._submit('info', this._id, list);
    if (result < 0) this.destroy(new NghttpError(result));
  }

  pushStream(given, options, callback) {
    if (!this.pushAllowed) throw h2Error('PUSH_DISABLED');
    if (this._id % 2 === 0) throw h2Error('NESTED_PUSH');
    if (typeof options === 'function') {
      callback = options;
      options = undefined;
    }
    validateFunction(callback, 'callback');
    if (options !== undefined) validateObject(options, 'options');
    checkObject(given, 'headers');
    const headers = { __proto__: null, ...given };
    headers[':method'] ??= 'GET';
    headers[':authority'] ??= this._request[':authority'];
    headers[':scheme'] ??= this._request[':scheme'];
    headers[':path'] ??= '/';
    const isHead = headers[':method'] === 'HEAD';
    const list = toList(headers, REQUEST);
    const session = this._session;
    const id = session._submit('push', this._id, list);
    if (id <= 0) {
      process.nextTick(callback, id === -509 ? h2Error('OUT_OF_STREAMS') : new NghttpError(id));
      return;
    }
    const stream = new ServerHttp2Stream(session, id, undefined, headers);
    stream._isRemoteEnded = true;
    stream.push(null);
    stream._sentHeaders = headers;
    if (isHead) {
      stream._isHead = true;
      stream.end();
    }
    process.nextTick(callback, null, stream, headers, 0);
  }

  respondWithFD(fd, given, options) {
    this._check();
    if (options !== undefined) validateObject(options, 'options');
    options = { ...options };
    checkFileOptions(options);
    const isHandle = typeof fd === 'object' && fd !== null && typeof fd.fd === 'number';
    if (!isHandle && typeof fd !== 'number') {
      throw invalidArgType('fd', ['number', 'FileHandle'], fd);
    }
    const { headers, status } = responseHeaders(this, given, options);
    if (BODYLESS.has(status) || this._isHead) throw h2Error('PAYLOAD_FORBIDDEN', status);
    const number = isHandle ? fd.fd : fd;
    options.isPlaced = options.offset !== undefined;
    if (options.statCheck === undefined) {
      sendFile(this, number, headers, options, -1, false);
      return;
    }
    fs.fstat(number, (error, stat) => {
      if (this.destroyed || this.closed) return;
      if (error) {
        this.destroy(error);
        return;
      }
      const more = { offset: options.offset ?? 0, length: options.length ?? -1 };
      if (options.statCheck.call(this, stat, headers, more) === false || this._headersSent) return;
      sendFile(this, number, headers, { ...options, ...more }, -1, false);
    });
  }

  respondWithFile(path, given, options) {
    this._check();
    if (options !== undefined) validateObject(options, 'options');
    options = { ...options };
    checkFileOptions(options);
    const { headers, status } = responseHeaders(this, given, options);
    if (BODYLESS.has(status) || this._isHead) throw h2Error('PAYLOAD_FORBIDDEN', status);
    fs.open(path, 'r', (error, fd) => onOpened(this, error, fd, headers, options));
  }
}

function checkStatus(status) {
  if (status >= 100 && status < 200) throw h2Error('INFO_STATUS_NOT_ALLOWED');
  if (status < 200 || status > 599) throw h2Error('STATUS_INVALID', status);
}

function checkFileOptions({ offset, length, statCheck }) {
  if (offset !== undefined && typeof offset !== 'number') {
    throw invalidArgValue('options.offset', offset);
  }
  if (length !== undefined && typeof length !== 'number') {
    throw invalidArgValue('options.length', length);
  }
  if (statCheck !== undefined && typeof statCheck !== 'function') {
    throw invalidArgValue('options.statCheck', statCheck);
  }
}

function failFile(stream, error, { onError }) {
  if (onError) onError(error);
  else stream.destroy(error);
}

function onOpened(stream, error, fd, headers, options) {
  if (error) {
    failFile(stream, error, options);
    return;
  }
  if (stream.destroyed || stream.closed) {
    fs.close(fd, () => {});
    return;
  }
  fs.fstat(fd, (failure, stat) => {
    const refuse = (reason) => {
      fs.close(fd, () => {});
      failFile(stream, reason, options);
    };
    if (stream.destroyed || stream.closed) {
      fs.close(fd, () => {});
      return;
    }
    if (failure) return refuse(failure);
    const { offset, length } = options;
    if (!stat.isFile()) {
      if (stat.isDirectory()) return refuse(h2Error('SEND_FILE'));
      if (offset !== undefined || (length !== undefined && length !== -1)) {
        return refuse(h2Error('SEND_FILE_NOSEEK'));
      }
    }
    const more = { offset: offset ?? 0, length: length ?? -1 };
    if (options.statCheck && options.statCheck.call(stream, stat, headers, more) === false) {
      fs.close(fd, () => {});
      return undefined;
    }
    if (stream._headersSent) {
      fs.close(fd, () => {});
      return undefined;
    }
    const size = stat.isFile() ? stat.size : -1;
    sendFile(stream, fd, headers, { ...options, ...more }, size, true);
    return undefined;
  });
}

// `size` is that of the file, or -1 where there is none.
function sendFile(stream, fd, headers, options, size, closes) {
  const { offset = 0 } = options;
  let { length = -1 } = options;
  if (size >= 0) {
    const left = Math.max(0, size - offset);
    length = length < 0 ? left : Math.min(length, left);
    headers['content-length'] ??= length;
  }
  try {
    const { sendDate, waitForTrailers } = options;
    stream.respond(headers, { sendDate, waitForTrailers });
  } catch (error) {
    if (closes) fs.close(fd, () => {});
    stream.destroy(error);
    return;
  }
  if (stream.writableEnded || length === 0) {
    if (closes) fs.close(fd, () => {});
    if (!stream.writableEnded) stream.end();
    return;
  }
  // The stream's own writer is done; the file goes past it. What has no places is read as it comes.
  stream._isSendingFile = true;
  stream.end();
  const isPlaced = size >= 0 || offset > 0 || options.isPlaced;
  pump(stream, fd, isPlaced ? offset : null, length, () => {
    if (closes) fs.close(fd, () => {});
    stream._isSendingFile = false;
    if (stream.writableFinished) stream._afterFinal();
  });
}

// Piece by piece, as the stream takes them.
function pump(stream, fd, position, left, done) {
  const size = left < 0 ? 65536 : Math.min(65536, left);
  if (stream.destroyed || size === 0) {
    done();
    if (!stream.destroyed) stream._sendEnd();
    return;
  }
  fs.read(fd, Buffer.allocUnsafe(size), 0, size, position, (error, count, bytes) => {
    if (error || stream.destroyed) {
      done();
      if (error && !stream.destroyed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      return;
    }
    const rest = left < 0 ? left : left - count;
    const next = () => pump(stream, fd, position === null ? null : position + count,
      count === 0 ? 0 : rest, done);
    if (count === 0) next();
    else stream._writeAll([bytes.subarray(0, count)], next);
  });
}

module.exports = { ServerHttp2Stream, validateNumber };
