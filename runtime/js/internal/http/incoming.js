'use strict';
// A message that comes in: a request on a server, a response on a client.
//
// Most requests have no body, nobody listens to them, and few of their headers are looked at: the
// state of the readable stream and the lists of headers are made when something first asks. What
// a message starts with lives in the prototype.

const { Readable, finished } = require('stream');
const { connectionReset } = require('internal/http/common');

const native = binding('http');
const { ReadableState } = Readable;
const kHeaders = Symbol('kHeaders');
const kDistinct = Symbol('kDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kRawTrailers = Symbol('kRawTrailers');
const kState = Symbol('kState');
const kRawHeaders = Symbol('kRawHeaders');
const kFields = Symbol('kFields'); // names and values, each on a line

function IncomingMessage(socket) {
  this.socket = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const { prototype } = IncomingMessage;
Object.assign(prototype, {
  httpVersionMajor: 1,
  httpVersionMinor: 1,
  complete: false,
  url: '',
  method: null,
  statusCode: null,
  statusMessage: null,
  aborted: false,
  upgrade: null,
  joinDuplicateHeaders: false,
  _consumed: false,
  _dumped: false,
  _source: null, // the connection that feeds the message, until its last byte
  [kState]: undefined,
  [kFields]: '',
});

function toList(fields) {
  return fields === '' ? [] : fields.split('\n');
}

function toDistinct(raw) {
  const target = { __proto__: null };
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i].toLowerCase();
    if (target[name] === undefined) target[name] = [raw[i + 1]];
    else target[name].push(raw[i + 1]);
  }
  return target;
}

function property(name, get, set) {
  Object.defineProperty(prototype, name, { configurable: true, enumerable: true, get, set });
}

property('_readableState', function getState() {
  let state = this[kState];
  if (state === undefined && Object.hasOwn(this, 'socket')) {
    const highWaterMark = this.socket?.readableHighWaterMark;
    state = this[kState] = new ReadableState({ highWaterMark }, this, false);
    Object.defineProperty(this, '_readableState',
      { value: state, writable: true, configurable: true, enumerable: true });
    state.readingMore = true; // nothing is read before someone asks: see _read
    this._events ??= { __proto__: null };
    if (this.complete) this.push(null);
  }
  return state;
}, function setState(state) { this[kState] = state; });
property('connection', function getConnection() { return this.socket; },
  function setConnection(socket) { this.socket = socket; });
property('client', function getClient() { return this.socket; },
  function setClient(socket) {
    Object.defineProperty(this, 'client', { value: socket, writable: true, configurable: true,
      enumerable: true });
  });
property('httpVersion', function version() {
  return `${this.httpVersionMajor}.${this.httpVersionMinor}`;
}, function setVersion(text) {
  Object.defineProperty(this, 'httpVersion', { value: text, writable: true, configurable: true,
    enumerable: true });
});
property('rawHeaders', function rawHeaders() {
  return this[kRawHeaders] ??= toList(this[kFields]);
}, function setRawHeaders(value) { this[kRawHeaders] = value; });
property('headers', function headers() {
  return this[kHeaders] ??= native.headers(this.rawHeaders, this.joinDuplicateHeaders);
}, function setHeaders(value) { this[kHeaders] = value; });
property('headersDistinct', function distinct() {
  return this[kDistinct] ??= toDistinct(this.rawHeaders);
}, function setDistinct(value) { this[kDistinct] = value; });
property('rawTrailers', function rawTrailers() {
  return this[kRawTrailers] ??= [];
}, function setRawTrailers(value) { this[kRawTrailers] = value; });
property('trailers', function trailers() {
  return this[kTrailers] ??= native.headers(this.rawTrailers, this.joinDuplicateHeaders);
}, function setTrailers(value) { this[kTrailers] = value; });
property('trailersDistinct', function trailersDistinct() {
  return this[kTrailersDistinct] ??= toDistinct(this.rawTrailers);
}, function setTrailersDistinct(value) { this[kTrailersDistinct] = value; });

prototype.setTimeout = function setTimeout(ms, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(ms);
  return this;
};

prototype._read = function _read() {
  // From the first read on, the stream may read ahead.
  if (!this._consumed) this._readableState.readingMore = false;
  this._consumed = true;
  this._source?.resumeFor(this);
};

// The last byte has come.
prototype._end = function _end(trailers) {
  this.complete = true;
  if (this._source !== null) this._source = null;
  if (trailers !== undefined) this[kRawTrailers] = toList(trailers);
  if (this[kState] !== undefined) this.push(null);
};

// Lets a body flow away that nobody wants.
prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  if (this[kState] === undefined && this.complete) return;
  this.removeAllListeners('data');
  this.resume();
};

// The connection is gone before the message was whole.
prototype._abort = function _abort() {
  if (this[kState] !== undefined && this._readableState.destroyed) return;
  this.destroy(connectionReset('aborted'));
};

prototype._destroy = function _destroy(failure, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  const { socket } = this;
  if (socket && !socket.destroyed && this.aborted) {
    socket.destroy(failure);
    const cleanup = finished(socket, (other) => {
      if (other && other.code === 'ERR_STREAM_PREMATURE_CLOSE') other = null;
      cleanup();
      process.nextTick(report, this, other || failure, callback);
    });
  } else {
    process.nextTick(report, this, failure, callback);
  }
};

// Fields that may come once: the first one counts.
const ONCE = new Set(['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires',
  'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified', 'location',
  'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent']);

prototype._addHeaderLine = function _addHeaderLine(field, value, into) {
  const name = field.toLowerCase();
  if (name === 'set-cookie') {
    if (into[name] === undefined) into[name] = [value];
    else into[name].push(value);
  } else if (into[name] === undefined) {
    into[name] = value;
  } else if (!ONCE.has(name) || this.joinDuplicateHeaders) {
    into[name] += `${name === 'cookie' ? '; ' : ', '}${value}`;
  }
};

prototype._addHeaderLines = function _addHeaderLines(lines, count) {
  const into = this.complete ? this.trailers : this.headers;
  for (let i = 0; i < count; i += 2) this._addHeaderLine(lines[i], lines[i + 1], into);
};

// An error that nobody listens for is no uncaught one.
function report(message, failure, callback) {
  callback(message.listenerCount('error') > 0 ? failure : null);
}

module.exports = { IncomingMessage, kFields, kState };
