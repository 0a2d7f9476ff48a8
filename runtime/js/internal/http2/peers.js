'use strict';
// The two kinds of sessions: one answers requests, the other makes them.

const { Http2Session, kSocket, kSession, native } = require('internal/http2/session');
const { Http2Stream, readPriority } = require('internal/http2/stream');
const { ServerHttp2Stream } = require('internal/http2/server_stream');
const { constants } = require('internal/http2/constants');
const { h2Error, streamCancel, NghttpError } = require('internal/http2/errors');
const headers = require('internal/http2/headers');
const { note } = require('internal/http2/measured');
const { withContext } = require('internal/async/with_context');
const { invalidArgType, withCode, AbortError } = require('internal/errors/errors');
const { validateFunction, validateString, validateObject, validateAbortSignal } =
  require('internal/errors/validators');

const { NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM, NGHTTP2_REFUSED_STREAM } = constants;
const HEADERS_TRAILING = 3;
const gate = binding('gate');

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(constants.NGHTTP2_SESSION_SERVER, options, socket);
    Object.defineProperty(this, 'server', { value: server, enumerable: true });
    this._rejected = 0;
    this._begin();
  }

  // Without an object, `raw` is the list of an odd head.
  _onHead(id, category, flags, object, raw) {
    const known = this._stream(id);
    const ends = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    if (object === undefined) [object, raw] = headers.read(raw);
    if (known !== undefined) {
      known.emit('trailers', object, flags, raw);
      if (ends) known._takeEnd();
      return;
    }
    if (this._isClosed || this._isDestroyed) {
      this._reset(id, NGHTTP2_REFUSED_STREAM);
      return;
    }
    const stream = new ServerHttp2Stream(this, id, undefined, object);
    note(stream, 'head');
    if (ends) {
      stream._isBodyless = true;
      stream._endsAfterHeaders = true;
      stream._takeEnd();
    }
    if (!this.emit('stream', stream, object, flags, raw)) {
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
    }
  }

  altsvc(alt, originOrStream) {
    if (this.destroyed) throw h2Error('INVALID_SESSION');
    let id = 0;
    let origin = '';
    if (typeof originOrStream === 'string') {
      origin = new URL(originOrStream).origin;
      if (origin === 'null') throw h2Error('ALTSVC_INVALID_ORIGIN');
    } else if (typeof originOrStream === 'number') {
      if (originOrStream >>> 0 !== originOrStream || originOrStream === 0) {
        throw require('internal/errors/errors').outOfRange('originOrStream',
          `> 0 && < ${2 ** 32}`, originOrStream);
      }
      id = originOrStream;
    } else if (originOrStream !== undefined) {
      if (originOrStream !== null && typeof originOrStream === 'object') {
        ({ origin } = originOrStream);
      }
      else origin = undefined;
      if (typeof origin !== 'string') {
        throw invalidArgType('originOrStream', ['string', 'number', 'URL', 'object'],
          originOrStream);
      }
      if (origin === 'null' || origin === '') throw h2Error('ALTSVC_INVALID_ORIGIN');
    }
    validateString(alt, 'alt');
    if (!/^[\t\u0020-\u007E]*$/.test(alt)) {
      throw withCode(TypeError, 'ERR_INVALID_CHAR', 'Invalid character in alt');
    }
    if (Buffer.byteLength(origin) + Buffer.byteLength(alt) > 16382) {
      throw h2Error('ALTSVC_LENGTH');
    }
    this._submit('altsvc', id, origin, alt);
  }

  origin(...origins) {
    if (this.destroyed) throw h2Error('INVALID_SESSION');
    if (origins.length === 0) return;
    const list = [];
    let length = 0;
    for (const given of origins) {
      let origin = given;
      if (typeof given === 'string') ({ origin } = new URL(given));
      else if (given !== null && typeof given === 'object') ({ origin } = given);
      if (typeof origin !== 'string') throw invalidArgType('origin', 'string', origin);
      if (origin === 'null') throw h2Error('INVALID_ORIGIN');
      length += origin.length;
      list.push(origin, '', false);
    }
    if (length > 16382) throw h2Error('ORIGIN_LENGTH');
    this._submit('origin', list);
  }
}

class ClientHttp2Stream extends Http2Stream {
  constructor(session, options) {
    super(session, options);
    session._pending.add(this);
    const context = gate.getContext();
    if (context !== undefined) this._context = context;
  }

  _proceed() {}

  get headRequest() { return this._isHead; }
}
Object.assign(ClientHttp2Stream.prototype, {
  _hasResponse: false,
  _isPush: false,
  _endsWithHead: false,
});

class ClientHttp2Session extends Http2Session {
  constructor(options, socket) {
    super(constants.NGHTTP2_SESSION_CLIENT, options, socket);
    this._waiting = []; // for the connection
    this._authority = options._authority;
    this._protocol = options._protocol;
    const event = socket.encrypted ? 'secureConnect' : 'connect';
    const isWaiting = socket.connecting || socket.secureConnecting;
    if (isWaiting) {
      socket.once(event, () => this._connected());
      socket.once('error', (error) => { if (this._box === null) this.destroy(error); });
      socket.once('close', () => { if (this._box === null) this._onSocketClose(); });
    } else {
      process.nextTick(() => this._connected());
    }
  }

  _connected() {
    const socket = this[kSocket];
    if (this._isDestroyed || socket === undefined) return;
    this._begin();
    for (const work of this._waiting.splice(0)) work();
    if (this._isDestroyed) return;
    this.emit('connect', this, socket);
    this._endIfDone();
  }

  _onHead(id, category, flags, object, raw) {
    const stream = this._stream(id);
    if (stream === undefined) return;
    if (object === undefined) [object, raw] = headers.read(raw);
    if (stream._context === undefined) this._takeHead(stream, category, flags, object, raw);
    else withContext(stream._context, this._takeHead, this, [stream, category, flags, object, raw]);
  }

  _takeHead(stream, category, flags, object, raw) {
    const ends = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    note(stream, 'head');
    const status = object[':status'];
    if (stream._isPush && !stream._hasResponse) {
      stream._hasResponse = true;
      stream.emit('push', object, flags);
    } else if (status >= 100 && status < 200) {
      if (status === 100) stream.emit('continue');
      stream.emit('headers', object, flags, raw);
    } else if (category === HEADERS_TRAILING && stream._hasResponse) {
      stream.emit('trailers', object, flags, raw);
    } else {
      if (status === 421) this._origins?.delete(originOf(stream));
      stream._hasResponse = true;
      if (ends) stream._isBodyless = stream._endsAfterHeaders = true;
      stream.emit('response', object, flags, raw);
    }
    if (ends) stream._takeEnd();
  }

  _onPush(id, parentId, flags, object, raw) {
    if (object === undefined) [object, raw] = headers.read(raw);
    const stream = new ClientHttp2Stream(this, undefined);
    stream._isPush = true;
    stream._headersSent = true;
    stream._isEnded = true;
    stream._init(id);
    stream.end();
    if (!this.emit('stream', stream, object, flags, raw)) {
      stream.close(NGHTTP2_REFUSED_STREAM);
    }
  }

  request(given, options) {
    if (this.destroyed) throw h2Error('INVALID_SESSION');
    if (this.closed) throw h2Error('GOAWAY_SESSION');
    headers.checkObject(given, 'headers');
    if (options !== undefined) validateObject(options, 'options');
    options = options === undefined ? { __proto__: null } : { ...options };
    const all = requestHeaders(this, given);
    checkOptions(options);
    const method = all[':method'];
    if (options.endStream === undefined) {
      options.endStream = method === 'GET' || method === 'HEAD' || method === 'DELETE';
    }
    const list = listOrDestroy(this, all);
    const { highWaterMark } = options;
    const stream = new ClientHttp2Stream(this, highWaterMark === undefined ? undefined
      : { highWaterMark });
    stream._sentHeaders = all;
    if (method === 'HEAD') stream._isHead = true;
    stream._headersSent = true;
    if (options.waitForTrailers) stream._waitsForTrailers = true;
    if (options.endStream) stream._endsWithHead = true;
    if (this._box !== null && !options.signal) {
      start(this, stream, list, options);
      if (options.endStream) stream.end();
      return stream;
    }
    stream.cork(); // until there is a stream to write to
    if (options.endStream) stream.end();
    if (options.signal) followSignal(stream, options.signal);
    if (this._box === null) this._waiting.push(() => start(this, stream, list, options));
    else start(this, stream, list, options);
    return stream;
  }
}

// A name that is none ends the session, as in Node.
function listOrDestroy(session, all) {
  try {
    return headers.toList(all, headers.REQUEST);
  } catch (error) {
    if (error.code === 'ERR_INVALID_HTTP_TOKEN') session.destroy(error);
    throw error;
  }
}

function followSignal(stream, signal) {
  const abort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  signal.addEventListener('abort', abort, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', abort));
}

function checkOptions(options) {
  const { endStream, signal, waitForTrailers } = options;
  if (options.weight !== undefined || options.parent !== undefined ||
      options.exclusive !== undefined || options.silent !== undefined) {
    readPriority({ weight: options.weight, parent: options.parent, exclusive: options.exclusive,
      silent: options.silent });
  }
  if (endStream !== undefined && typeof endStream !== 'boolean') {
    throw invalidArgType('options.endStream', 'boolean', endStream);
  }
  if (waitForTrailers !== undefined && typeof waitForTrailers !== 'boolean') {
    options.waitForTrailers = Boolean(waitForTrailers);
  }
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
}

function requestHeaders(session, given) {
  const all = { __proto__: null, ...given };
  if (given?.[headers.sensitiveHeaders]) {
    all[headers.sensitiveHeaders] = given[headers.sensitiveHeaders];
  }
  all[':method'] ??= 'GET';
  if (typeof all[':method'] !== 'string') {
    throw require('internal/errors/errors').invalidArgValue('headers[":method"]', all[':method']);
  }
  const isConnect = all[':method'] === 'CONNECT';
  if (!isConnect || all[':protocol'] !== undefined) {
    if (all[':authority'] === undefined && all.host === undefined) {
      all[':authority'] = session._authority;
    }
    all[':scheme'] ??= session._protocol?.slice(0, -1);
    all[':path'] ??= '/';
  } else {
    if (all[':authority'] === undefined) throw h2Error('CONNECT_AUTHORITY');
    if (all[':scheme'] !== undefined) throw h2Error('CONNECT_SCHEME');
    if (all[':path'] !== undefined) throw h2Error('CONNECT_PATH');
  }
  return all;
}

function start(session, stream, list, options) {
  if (stream.destroyed || session.destroyed) return;
  if (session._goawayCode !== null || session.closed) {
    stream.destroy(h2Error('GOAWAY_SESSION'));
    return;
  }
  const ends = stream._endsWithHead === true;
  if (ends) stream._isEnded = !stream._waitsForTrailers;
  const id = session._box === null ? -1 : native().request(session._box, list, ends,
    stream._waitsForTrailers, options.parent ?? 0, options.weight ?? 16,
    Boolean(options.exclusive));
  session._schedule();
  if (id > 0) {
    if (stream._writableState.corked > 0) stream.uncork();
    stream._init(id);
  } else if (id === -509) {
    stream.destroy(h2Error('OUT_OF_STREAMS'));
  } else {
    stream.destroy(new NghttpError(id));
  }
}

// Of a request, which another server has to answer.
function originOf({ sentHeaders }) {
  return `${sentHeaders[':scheme']}://${sentHeaders[':authority']}`;
}

module.exports = { ServerHttp2Session, ClientHttp2Session, ClientHttp2Stream, kSession,
  streamCancel, NGHTTP2_CANCEL, validateFunction };
