'use strict';
// One HTTP/2 connection. Frames come from the plug-in as calls of the methods that begin with _on.

const EventEmitter = require('events');
const { constants } = require('internal/http2/constants');
const { h2Error, streamCancel, NghttpError } = require('internal/http2/errors');
const settings = require('internal/http2/settings');
const { sensitiveHeaders } = require('internal/http2/headers');
const { socketOf } = require('internal/http2/socket');
const { setSilence, kTimeout } = require('internal/http2/timeout');
const { Measure } = require('internal/http2/measured');
const { AsyncResource } = require('async_hooks');
const { withContext } = require('internal/async/with_context');
const { invalidArgType } = require('internal/errors/errors');
const { validateFunction, validateNumber, validateUint32, validateInt32, validateBuffer,
  validateObject } = require('internal/errors/validators');

const kSocket = Symbol('socket');
const kSession = Symbol('session');
const kProxy = Symbol('proxy');
const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR,
  NGHTTP2_ENHANCE_YOUR_CALM } = constants;

const ERR_FLOODED = -904;

let native;

// In the order in which the plug-in reads them.
function limits(options) {
  return [options.maxHeaderListPairs ?? 128, options.maxSessionMemory ?? 10,
    options.maxSessionInvalidFrames ?? 1000, options.paddingStrategy ?? 0,
    options.maxSettings ?? 32, options.peerMaxConcurrentStreams ?? 100,
    options.maxDeflateDynamicTableSize ?? 4096, options.maxSendHeaderBlockLength ?? 0,
    options.settings?.maxHeaderListSize ?? options.settings?.maxHeaderSize ?? 65535,
    options.maxReservedRemoteStreams ?? 200, options.maxSessionRejectedStreams ?? 100];
}

// Errors of nghttp2 as the codes of HTTP/2.
const FRAME_CODES = { '-510': 5, '-523': 9, '-522': 6, '-524': 3, '-533': 7, '-505': 1, '-531': 1,
  '-532': 1 };

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    native ??= binding('http2');
    if (socket[kSession]) throw h2Error('SOCKET_BOUND');
    socket[kSession] = this;
    this._type = type;
    this._options = options;
    this[kSocket] = socket;
    this[kProxy] = null;
    this._box = null;
    this._streams = new Map();
    this._pending = new Set();
    this._pings = [];
    this._acks = [];
    this._isUnacknowledged = false; // and never will be
    this._isFlushing = false;
    this._isScheduled = false;
    this._sentBytes = 0;
    this._goawayCode = null;
    this._goawayLast = null;
    this._writing = new Set();
    this._isClosed = false;
    this._isDestroyed = false;
    this._timeout = 0;
    this[kTimeout] = null;
    this._origins = undefined;
    this._localCustom = { ...options.settings?.customSettings };
    this._remoteCustom = {};
    this._resets = [];
    this._measure = Measure.of();
  }

  // The socket is there: frames can go.
  _begin() {
    const socket = this[kSocket];
    this._box = native.newSession(this._type === constants.NGHTTP2_SESSION_SERVER,
      limits(this._options), sensitiveHeaders);
    socket.on('data', (chunk) => this._receive(chunk));
    socket.on('end', () => this._onSocketEnd());
    socket.on('close', () => this._onSocketClose());
    socket.on('error', (error) => this._onSocketError(error));
    socket.on('drain', () => { if (!this._isDestroyed) this._flush(); });
    const wanted = this._options.settings ?? {};
    this._acks.push({ resource: newResource('HTTP2SETTINGS') });
    native.settings(this._box, settings.toList(wanted));
    this._schedule();
  }

  _receive(chunk) {
    if (this._box === null) return;
    this._touch();
    if (this._measure !== null) this._measure.bytesRead += chunk.length;
    this._isFlushing = true;
    let result;
    try {
      result = native.receive(this._box, this, chunk);
    } finally {
      this._endWork();
    }
    if (this._isDestroyed) return;
    if (typeof result === 'string') this._refuseFlood(result);
    else if (this._lastInvalid !== undefined) this._failWith(this._lastInvalid);
    else if (result < 0) this._failWith(result);
    else this._flush();
    // nghttp2 has ended it, after an error of the peer's.
    if (this._box !== null && !this._isFlushing && native.isDone(this._box)) this.destroy();
  }

  // The peer makes us work, or remember, more than any client needs.
  _refuseFlood() {
    native.terminate(this._box, NGHTTP2_ENHANCE_YOUR_CALM);
    this._flush();
    this.destroy(new NghttpError(ERR_FLOODED), NGHTTP2_ENHANCE_YOUR_CALM);
  }

  _failWith(errno) {
    this.destroy(this._tooInvalid ?? new NghttpError(errno));
  }

  // An end that came while nghttp2 was working waits for it.
  _endWork() {
    this._isFlushing = false;
    const work = this._afterWork;
    this._afterWork = undefined;
    work?.();
  }

  _schedule() {
    if (this._isScheduled || this._isFlushing) return;
    this._isScheduled = true;
    process.nextTick(flushLater, this);
  }

  // What there is to send goes out in one write, unless the socket has enough.
  _flush() {
    if (this._box === null || this._isFlushing) return;
    const socket = this[kSocket];
    if (!socket || socket.destroyed || socket.connecting) return;
    this._isFlushing = true;
    for (const stream of this._writing) stream._endEarly();
    this._writing.clear();
    try {
      while (this._box !== null && !socket.writableNeedDrain && socket.writable) {
        const bytes = native.send(this._box, this);
        if (this._sendResets()) {
          if (bytes === undefined) continue;
        } else if (bytes === undefined) {
          break;
        }
        if (typeof bytes === 'number') {
          this.destroy(new NghttpError(bytes));
          break;
        }
        this._touch();
        this._sentBytes += bytes.length;
        socket.write(bytes);
      }
    } finally {
      this._endWork();
    }
    this._endIfDone();
  }

  // What was to be sent before a stream is reset goes first.
  _sendResets() {
    if (this._resets.length === 0 || this._box === null) return false;
    for (const [id, code] of this._resets.splice(0)) native.reset(this._box, id, code);
    return true;
  }

  _reset(id, code) {
    if (this._box === null) return;
    this._resets.push([id, code]);
    this._schedule();
  }

  _submit(name, ...args) {
    if (this._box === null) return -1;
    const status = native[name](this._box, ...args);
    this._schedule();
    return status;
  }

  _stream(id) { return this._streams.get(id); }

  // A stream hears of its peer in the context in which it was made.
  _tell(id, method, value) {
    const stream = this._streams.get(id);
    if (stream === undefined) return;
    if (stream._context === undefined) stream[method](value);
    else withContext(stream._context, stream[method], stream, [value]);
  }

  _onData(id, chunk) { this._tell(id, '_takeData', chunk); }

  _onStreamEnd(id) { this._tell(id, '_takeEnd'); }

  _onStreamClose(id, code) { this._tell(id, '_takeClose', code); }

  _onSent(id) { this._tell(id, '_takeSent'); }

  _onWantTrailers(id) { this._tell(id, '_wantTrailers'); }

  _onSettings(isAck, custom) {
    if (!isAck) {
      settings.takeCustom(this._remoteCustom, custom, this._options.remoteCustomSettings);
      this._lastRemote = undefined;
      this.emit('remoteSettings', this.remoteSettings);
      return;
    }
    if (this._acks.length === 0) return;
    const { done, started, wanted, resource } = this._acks.shift();
    Object.assign(this._localCustom, wanted?.customSettings);
    this._lastLocal = undefined;
    this.emit('localSettings', this.localSettings);
    const took = performance.now() - started;
    if (done) resource.runInAsyncScope(done, this, null, this.localSettings, took);
    resource.emitDestroy();
  }

  _onPing(isAck, payload) {
    if (!isAck) {
      this.emit('ping', payload);
      return;
    }
    const one = this._pings.shift();
    if (one === undefined) {
      this.destroy(new NghttpError(-505));
      return;
    }
    const took = performance.now() - one.started;
    if (this._measure !== null) this._measure.pingTime = took;
    one.resource.runInAsyncScope(one.callback, this, null, took, payload);
    one.resource.emitDestroy();
  }

  _onGoaway(code, lastId, data) {
    this._goawayCode = code;
    this._goawayLast = lastId;
    this.emit('goaway', code, lastId, data);
    if (this._isDestroyed) return;
    if (code === NGHTTP2_NO_ERROR) {
      this.close();
    } else {
      this.destroy(h2Error('SESSION_ERROR', code), NGHTTP2_NO_ERROR);
    }
  }

  _onGoawaySent(code) { this._sentGoaway = code; }

  _onPriority(id, parent, weight, exclusive) {
    const stream = this._stream(id);
    (stream ?? this).emit('priority', id, parent, weight, exclusive);
  }

  _onNotSent(type, code, id) {
    const stream = this._stream(id);
    // The session or the stream closes anyway.
    if (code === -530 || code === -511 || code === -510) return;
    const reason = FRAME_CODES[code] ?? NGHTTP2_INTERNAL_ERROR;
    (stream ?? this).emit('frameError', type, reason, id);
    if (stream) {
      stream.close(reason);
      this.close(); // with the other streams' leave
    } else this.destroy(h2Error('SESSION_ERROR', reason), reason);
  }

  _onInvalid(errno) { this._lastInvalid = errno; }

  _onTooInvalid() { this._tooInvalid = h2Error('TOO_MANY_INVALID_FRAMES'); }

  _onAltsvc(id, origin, value) { this.emit('altsvc', value, origin, id); }

  _onOrigin(origins) {
    if (!this._origins) this.originSet;
    if (!this.encrypted) return;
    for (const one of origins) this._origins?.add(one);
    this.emit('origin', origins);
  }

  // There are no connections with one side only.
  _onSocketEnd() {
    if (this._isDestroyed) return;
    if (this[kSocket]?.writable) this._flush();
    setImmediate(() => { if (!this._isDestroyed) this._onSocketClose(); });
  }

  // Who has said goodbye may leave before it has heard everything.
  _onSocketError(error) {
    const wasTold = this._sentGoaway !== undefined || this._goawayCode !== null;
    if (wasTold && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) error = undefined;
    this.destroy(error);
  }

  _onSocketClose() {
    if (this._isDestroyed) {
      finishClose(this);
      return;
    }
    this._isSocketClosed = this[kSocket]?.destroyed ?? true;
    const cancel = streamCancel();
    for (const stream of [...this._pending]) stream.destroy(cancel);
    for (const stream of [...this._streams.values()]) {
      stream._aborted();
      stream.close(NGHTTP2_CANCEL);
      stream.destroy();
    }
    this.destroy();
  }

  _touch() {
    this[kTimeout]?.refresh();
  }

  _forget(stream) {
    this._measure?.streamEnds(stream);
    this._streams.delete(stream.id);
    this._pending.delete(stream);
    this._writing.delete(stream);
    this._endIfDone();
  }

  _endIfDone() {
    if (this._isClosed && !this._isDestroyed && this._streams.size === 0 &&
        this._pending.size === 0 && !this._isFlushing) this.destroy();
  }

  get encrypted() { return Boolean(this[kSocket]?.encrypted); }

  get alpnProtocol() {
    const socket = this[kSocket];
    if (this.connecting || !socket) return undefined;
    return socket.encrypted ? socket.alpnProtocol : 'h2c';
  }

  get originSet() {
    const socket = this[kSocket];
    if (!this.encrypted || this._isDestroyed) return undefined;
    if (this._origins === undefined) {
      const name = socket.servername || socket.remoteAddress;
      this._origins = new Set();
      if (name) {
        const port = socket.remotePort && socket.remotePort !== 443 ? `:${socket.remotePort}` : '';
        this._origins.add(`https://${name.includes(':') ? `[${name}]` : name}${port}`);
      }
    }
    return [...this._origins];
  }

  get connecting() { return this[kSocket] === undefined ? false : this._box === null &&
    !this._isDestroyed; }

  get closed() { return this._isClosed; }

  get destroyed() { return this._isDestroyed; }

  get type() { return this._type; }

  get goawayCode() { return this._goawayCode || NGHTTP2_NO_ERROR; }

  get goawayLastStreamID() { return this._goawayLast || 0; }

  get pendingSettingsAck() { return this._acks.length > 0 || this._isUnacknowledged; }

  get socket() {
    const socket = this[kSocket];
    if (socket === undefined) return undefined;
    this[kProxy] ??= socketOf(this);
    return this[kProxy];
  }

  get state() {
    if (this._box === null) return {};
    const [effectiveLocalWindowSize, effectiveRecvDataLength, nextStreamID, localWindowSize,
      lastProcStreamID, remoteWindowSize, outboundQueueSize, deflateDynamicTableSize,
      inflateDynamicTableSize] = native.state(this._box);
    return { effectiveLocalWindowSize, effectiveRecvDataLength, nextStreamID, localWindowSize,
      lastProcStreamID, remoteWindowSize, outboundQueueSize, deflateDynamicTableSize,
      inflateDynamicTableSize };
  }

  get localSettings() {
    if (this._box === null) return this._lastLocal ?? {};
    this._lastLocal ??= settings.fromValues(native.localSettings(this._box), this._localCustom);
    return this._lastLocal;
  }

  get remoteSettings() {
    if (this._box === null) return this._lastRemote ?? {};
    this._lastRemote ??= settings.fromValues(native.remoteSettings(this._box), this._remoteCustom);
    return this._lastRemote;
  }

  settings(wanted, callback) {
    if (this._isDestroyed) throw h2Error('INVALID_SESSION');
    if (wanted === undefined) wanted = {};
    validateObject(wanted, 'settings');
    if (callback !== undefined) validateFunction(callback, 'callback');
    settings.check(wanted);
    if (this._acks.length >= (this._options.maxOutstandingSettings ?? 10)) {
      this.destroy(h2Error('MAX_PENDING_SETTINGS_ACK'));
      return;
    }
    const started = performance.now();
    const resource = newResource('HTTP2SETTINGS');
    const send = () => {
      this._acks.push({ done: callback, started, wanted, resource });
      this._submit('settings', settings.toList(wanted));
    };
    if (this.connecting) this.once('connect', send);
    else send();
  }

  ping(payload, callback) {
    if (this._isDestroyed) throw h2Error('INVALID_SESSION');
    if (typeof payload === 'function') {
      callback = payload;
      payload = undefined;
    }
    if (payload) {
      validateBuffer(payload, 'payload');
      if (payload.byteLength !== 8) throw h2Error('PING_LENGTH');
    }
    validateFunction(callback, 'callback');
    const bytes = payload ?? Buffer.from(String(performance.now()).padEnd(8, '0').slice(0, 8));
    if (this.connecting) {
      this.once('connect', () => this.ping(bytes, callback));
      return undefined;
    }
    const resource = newResource('HTTP2PING');
    if (this._pings.length >= (this._options.maxOutstandingPings ?? 10)) {
      process.nextTick(() => {
        resource.runInAsyncScope(callback, this, h2Error('PING_CANCEL'));
        resource.emitDestroy();
      });
      return false;
    }
    this._pings.push({ callback, started: performance.now(), resource });
    return this._submit('ping', bytes) === 0;
  }

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData = undefined) {
    if (this._isDestroyed) throw h2Error('INVALID_SESSION');
    if (opaqueData !== undefined) validateBuffer(opaqueData, 'opaqueData');
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    const send = () => {
      this._saidGoaway = true;
      this._submit('goaway', code, lastStreamID, opaqueData);
    };
    if (this.connecting) this.once('connect', send);
    else send();
  }

  setNextStreamID(id) {
    if (this._isDestroyed) throw h2Error('INVALID_SESSION');
    validateNumber(id, 'id');
    if (id <= 0 || id > 2 ** 32 - 1) {
      throw require('internal/errors/errors').outOfRange('id', '> 0 and <= 4294967295', id);
    }
    if (this._box !== null) native.setNextId(this._box, id);
  }

  setLocalWindowSize(size) {
    if (this._isDestroyed) throw h2Error('INVALID_SESSION');
    validateInt32(size, 'windowSize', 0);
    if (this._submit('setWindow', size) !== 0) throw h2Error('NO_MEM');
  }

  setTimeout(ms, callback) {
    if (this._isDestroyed) return this;
    return setSilence(this, '_timeout', ms, callback);
  }

  // Bytes that the peer takes slowly are no silence.
  _onTimeout() {
    if (this._isDestroyed) return;
    const isWriting = [...this._streams.values()]
      .some((stream) => stream.writableLength > 0 || stream._isSendingFile);
    if (isWriting && this._sentBytes !== this._seenBytes) {
      this._seenBytes = this._sentBytes;
      this[kTimeout] = setTimeout(() => this._onTimeout(), this._timeout).unref();
      return;
    }
    this.emit('timeout');
  }

  close(callback) {
    if (this._isClosed || this._isDestroyed) return;
    this._isClosed = true;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.once('close', callback);
    }
    if (this._box !== null && !this._saidGoaway) this.goaway();
    this._schedule();
    process.nextTick(() => this._endIfDone());
  }

  destroy(error = NGHTTP2_NO_ERROR, code) {
    if (this._isDestroyed) return;
    this._isDestroyed = true;
    if (typeof error === 'number') {
      code = error;
      error = code !== NGHTTP2_NO_ERROR ? h2Error('SESSION_ERROR', code) : undefined;
    }
    if (code === undefined && error != null) code = NGHTTP2_INTERNAL_ERROR;
    clearTimeout(this[kTimeout]);
    cancelAll(this, error, code);
    if (this._isFlushing) this._afterWork = () => this._finish(error, code);
    else this._finish(error, code);
  }

  _finish(error, code) {
    closeBox(this, code);
    const socket = this[kSocket];
    const emitEnd = () => {
      if (error) this.emit('error', error);
      this._emitClose();
    };
    if (socket?.connecting) {
      socket.destroy();
      process.nextTick(emitEnd);
    } else if (socket && !socket.destroyed && !this._isSocketClosed) {
      this._afterSocket = emitEnd;
      socket.end(() => setImmediate(() => socket.destroy(error)));
      if (error) process.nextTick(() => socket.destroy());
    } else {
      process.nextTick(emitEnd);
    }
    if (socket) socket[kSession] = undefined;
  }

  _emitClose() {
    if (this._isCloseEmitted) return;
    this._isCloseEmitted = true;
    this[kSocket] = undefined;
    this.emit('close');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { format } = require('util');
    return `Http2Session ${format({ type: this._type, closed: this.closed,
      destroyed: this.destroyed, state: this.state, localSettings: this.localSettings,
      remoteSettings: this.remoteSettings })}`;
  }

  // A listener of a stream that fails, fails the stream alone.
  [Symbol.for('nodejs.rejection')](error, event, ...args) {
    if (event === 'stream') args[0].destroy(error);
    else this.destroy(error);
  }

  ref() { this[kSocket]?.ref?.(); }

  unref() { this[kSocket]?.unref?.(); }
}

const newResource = (type) => new AsyncResource(type, { requireManualDestroy: true });

function flushLater(session) {
  session._isScheduled = false;
  session._flush();
}

function cancelAll(session, error, code) {
  const cancel = streamCancel(error);
  for (const stream of [...session._pending]) stream.destroy(cancel);
  for (const stream of [...session._streams.values()]) {
    stream._sessionDestroyed(error, session._goawayCode || code);
  }
  for (const { callback, resource } of session._pings.splice(0)) {
    resource.runInAsyncScope(callback, session, h2Error('PING_CANCEL'));
    resource.emitDestroy();
  }
  session._isUnacknowledged = session._acks.length > 0;
  for (const { resource } of session._acks.splice(0)) resource.emitDestroy();
}

// The last word: a GOAWAY, and what was to be sent before it.
function closeBox(session, code) {
  const box = session._box;
  if (box === null) return;
  session.localSettings;
  session.remoteSettings;
  const socket = session[kSocket];
  if (socket && socket.writable && !socket.destroyed) {
    if (!session._saidGoaway || code) native.goaway(box, code ?? NGHTTP2_NO_ERROR, 0, undefined);
    sendRest(session, box, socket);
  }
  session._measure?.sessionEnds(session, native.state(box).slice(9));
  session._box = null;
  native.close(box);
}

function sendRest(session, box, socket) {
  for (let i = 0; i < 64; i++) {
    const bytes = native.send(box, session);
    if (typeof bytes !== 'object' || bytes === null) return;
    socket.write(bytes);
  }
}

function finishClose(session) {
  const work = session._afterSocket;
  session._afterSocket = undefined;
  if (work) work();
}

module.exports = { Http2Session, kSocket, kSession, native: () => (native ??= binding('http2')),
  invalidArgType, validateUint32 };
