'use strict';
// What a server answers.

const { OutgoingMessage, kHeaders, onFinish, isAscii } = require('internal/http/outgoing');
const { STATUS_CODES, isValue, error, validateHeaderName, validateHeaderValue } =
  require('internal/http/common');
const { systemError, withCode, validateObject } = require('internal/errors');
const streams = binding('stream');

function ServerResponse(req, options) {
  OutgoingMessage.call(this, options);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  this._conn = null;
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
prototype.statusMessage = undefined;
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
  if (this.outputData !== null) this._flush();
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

prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

function checkStatus(given) {
  const status = given | 0;
  if (status < 100 || status > 999) {
    throw withCode(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${given}`);
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

prototype.writeHead = function writeHead(given, reason, headers) {
  if (this._header !== null) {
    throw error('ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client');
  }
  const status = checkStatus(given);
  if (typeof reason === 'string') this.statusMessage = reason;
  else headers ??= reason;
  if (!this.statusMessage) {
    this.statusMessage = STATUS_CODES[status] || 'unknown';
  } else if (!isValue(this.statusMessage)) {
    throw withCode(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in statusMessage');
  }
  if (Array.isArray(headers) && !Array.isArray(headers[0]) && headers.length % 2 !== 0) {
    throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
      `The argument 'headers' is invalid. Received ${require('util').inspect(headers)}`);
  }
  this.statusCode = status;
  const lines = mergeHeaders(this, headers);
  if (status === 204 || status === 304 || status < 200) this._hasBody = false;
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${status} ${this.statusMessage}\r\n`, lines);
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
prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = [].concat(hints.link).join(', ');
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
  return conn !== null && !response._headerSent && chunk !== null && chunk.length !== 0 &&
    (typeof chunk !== 'string' || encoding === 'utf8' || encoding === 'utf-8') &&
    response.socket !== null && response.outputData === null && !response.strictContentLength &&
    conn.isClear();
}

prototype._endWith = function _endWith(chunk, encoding) {
  if (!isSimple(this, chunk, encoding)) {
    OutgoingMessage.prototype._endWith.call(this, chunk, encoding);
    return;
  }
  const isText = typeof chunk === 'string';
  const size = isText ? Buffer.byteLength(chunk) : chunk.length;
  if (this._header === null) {
    this._contentLength ??= size;
    this._implicitHeader();
  }
  const header = this._header;
  if (this._headerSent || !this._hasBody || (isText && !isAscii(header))) {
    OutgoingMessage.prototype._endWith.call(this, chunk, encoding);
    return;
  }
  this._headerSent = true;
  this.finished = true;
  let before = header;
  let after = '';
  if (this.chunkedEncoding) {
    before += `${size.toString(16)}\r\n`;
    after = `\r\n0\r\n${this._trailer}\r\n`;
  }
  this._writeAtOnce(isText ? before + chunk + after
    : [Buffer.from(before, 'latin1'), chunk, Buffer.from(after, 'latin1')],
  before.length + size + after.length);
  this._finish();
};

prototype._writeAtOnce = function _writeAtOnce(data, size) {
  const { socket } = this;
  const status = streams.write(this._conn.handle, data, (result) => {
    if (result < 0) socket.destroy(systemError(result, 'write'));
    else onFinish(this);
  });
  if (status < 0) {
    process.nextTick(() => socket.destroy(systemError(status, 'write')));
    return;
  }
  socket._bytesDispatched += size;
  if (socket.timeout) socket._unrefTimer();
  if (status === 1) process.nextTick(onFinish, this);
};

prototype._finish = function _finish() {
  if (this._events !== undefined) this.emit('prefinish');
};

module.exports = { ServerResponse };
