'use strict';
// A message that comes in: a request on a server, a response on a client.

const { Readable, finished } = require('stream');
const { connectionReset } = require('internal/http/common');

const { ReadableState } = Readable;
const kHeaders = Symbol('kHeaders');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kState = Symbol('kState');
const kEnded = Symbol('kEnded');
const kResume = Symbol('kResume');
const kLimit = Symbol('kLimit');

// Of these only the first counts.
const SINGLE = new Set(['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires',
  'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified', 'location',
  'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent']);

function IncomingMessage(socket) {
  if (socket) this[kState] = undefined;
  else this[kState] = null;
  this._events = undefined;
  this._eventsCount = 0;
  this._maxListeners = undefined;
  Readable.prototype.constructor === Readable && initEmitter(this);
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.complete = false;
  this[kHeaders] = null;
  this.rawHeaders = [];
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this.socket = socket;
  this._consumed = false;
  this._dumped = false;
}
