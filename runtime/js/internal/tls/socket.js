'use strict';
// A socket whose bytes are encrypted on their way.
//
// Its ciphertext is carried by a handle (its own, or that of the net.Socket it was made on), or by
// any other duplex stream. The engine (runtime/plugins/tls) calls the methods that begin with _on.

const net = require('net');
const { Duplex } = require('stream');
const streams = binding('stream');
const { isOurs } = require('internal/net/handles');
const into = require('internal/net/into');
const { withMethods } = require('internal/util/callable');
const { native, createSecureContext, NativeContext } = require('internal/tls/context');
const { systemError, withCode, invalidArgType } = require('internal/errors/errors');
const { validateString } = require('internal/errors/validators');
const verify = require('internal/tls/verify');
const hello = require('internal/tls/hello');

const EOF = -4095;
const ECANCELED = -125;
const kPlainRead = Symbol('plainRead');
const kHeldEnd = Symbol('heldEnd'); // the end, behind what `onread` has not taken
const kPlainWritten = Symbol('plainWritten');
const kWaiting = Symbol('waiting'); // a write that came before the handshake was done
const kUnsent = Symbol('unsent');   // writes of ciphertext that another stream has not taken yet
const kAfterSent = Symbol('afterSent');
const kAfterWrite = Symbol('afterWrite');
const NOTHING = [0, 0];
const kCarrier = Symbol('carrier'); // a stream that is no socket of ours

function isCarriedByHandle(socket) {
  return socket instanceof net._Socket && !(socket instanceof TLSSocket) &&
    (!socket._handle || isOurs(socket._handle)) && !socket.destroyed;
}

function TLSSocket(socket, given) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(socket, given);
  const options = this._tlsOptions = { ...given };
  checkSocket(socket, options);
  options.isServer = Boolean(options.isServer);
  this.authorized = false;
  this.authorizationError = null;
  this.secureConnecting = true;
  this.servername = null;
  this.alpnProtocol = null;
  this.encrypted = true;
  this._secureEstablished = false;
  this._securePending = false;
  this._newSessionPending = false;
  this._controlReleased = false;
  this._SNICallback = null;
  this._pskFailure = null;
  this._requestCert = false;
  this._rejectUnauthorized = false;
  this._engine = null;
  this[kCarrier] = null;
  this[kPlainRead] = 0;
  this[kHeldEnd] = false;
  this[kPlainWritten] = 0;
  this[kWaiting] = null;
  this[kUnsent] = 0;
  this[kAfterSent] = null;
  this[kAfterWrite] = null;
  hello.takeAlpn(options);
  net._Socket.call(this, {
    allowHalfOpen: socket ? socket.allowHalfOpen : options.allowHalfOpen,
    pauseOnCreate: options.pauseOnConnect, manualStart: true,
    highWaterMark: options.highWaterMark, onread: socket ? undefined : options.onread,
    signal: options.signal,
  });
  if (options.pauseOnConnect) this._readableState.flowing = false;
  prepare(this, options);
  this.on('error', this._tlsError);
  if (socket) carry(this, socket);
  else if (!options.isServer) this.once('connect', this._start);
  this.on('newListener', onNewListener);
}

function checkSocket(socket, options) {
  if (socket !== undefined && socket !== null && typeof socket !== 'object') {
    throw invalidArgType('socket', ['Duplex', 'net.Socket'], socket);
  }
  if (socket && (typeof socket.write !== 'function' || typeof socket.pause !== 'function')) {
    throw invalidArgType('socket', 'Duplex', socket);
  }
  if (options.enableTrace !== undefined && options.enableTrace !== null &&
      typeof options.enableTrace !== 'boolean') {
    throw invalidArgType('options.enableTrace', 'boolean', options.enableTrace);
  }
  if (options.secureContext && !(options.secureContext.context instanceof NativeContext)) {
    throw withCode(TypeError, 'ERR_TLS_INVALID_CONTEXT', 'context must be a SecureContext');
  }
}

function onNewListener(event) {
  if (event === 'keylog' && this._engine !== null) native().wantKeys(this._engine);
}

function prepare(socket, options) {
  options.secureContext ??= createSecureContext(options);
  const { isServer } = options;
  const engine = native().newEngine(options.secureContext.context.box, isServer,
    Boolean(options.pskCallback));
  socket._engine = engine;
  const requests = isServer ? Boolean(options.requestCert) : true;
  socket._requestCert = requests;
  socket._rejectUnauthorized = options.rejectUnauthorized !== false;
  native().setVerify(engine, requests, isServer && socket._rejectUnauthorized);
  if (!isServer) native().wantSessions(engine);
  if (options.ALPNProtocols && !options.ALPNCallback) {
    native().setAlpn(engine, options.ALPNProtocols);
  }
  if (options.requestOCSP) native().wantOcsp(engine);
  if (options.pskIdentityHint && isServer) {
    if (!native().setPskHint(engine, options.pskIdentityHint)) {
      process.nextTick(() => socket.destroy(withCode(Error,
        'ERR_TLS_PSK_SET_IDENTIY_HINT_FAILED', 'Failed to set PSK identity hint')));
    }
  }
  if (isServer) hello.prepareServer(socket, options);
  if (options.session) socket.setSession(options.session);
  if (options.handshakeTimeout > 0) {
    socket.setTimeout(options.handshakeTimeout, socket._handleTimeout);
  }
}

// What brings the ciphertext.
function carry(socket, other) {
  if (!isCarriedByHandle(other)) {
    carryByStream(socket, other);
    return;
  }
  socket._parent = other;
  socket._server = null;
  other.on('close', () => { if (!socket.destroyed) socket.destroy(); });
  other.on('error', (error) => { if (!socket.destroyed) socket.destroy(error); });
  if (other.connecting || !other._handle) {
    socket.connecting = true;
    other.once('connect', () => {
      socket.connecting = false;
      if (socket.destroyed) return;
      takeHandle(socket, other);
      socket.emit('connect');
    });
  } else {
    takeHandle(socket, other);
  }
}

function takeHandle(socket, other) {
  socket._handle = other._handle;
  socket._isReading = other._isReading;
  socket._host = other._host;
  other._isReading = true; // it never starts again by itself
  socket._attach();
  process.nextTick(begin, socket, other);
}

// Bytes that came before are the first of the ciphertext.
function begin(socket, other) {
  if (socket.destroyed) return;
  while (other.readableLength > 0) {
    const chunk = other.read();
    if (chunk === null || socket._engine === null) break;
    receive(socket, chunk);
  }
  if (other.readableEnded || other._readableState.ended) onTransport.call(socket, EOF);
  else if (!socket.destroyed) socket.read(0);
}

// Over another stream there is no handle; packages look for the stream behind what stands for it.
class JSStreamSocket extends net._Socket {}
const transport = (socket) => (isOurs(socket._handle) ? socket._handle : undefined);

function carryByStream(socket, other) {
  socket[kCarrier] = other;
  socket._handle = { __proto__: null,
    get _parentWrap() { return Object.assign(new JSStreamSocket(), { stream: other }); } };
  if (other instanceof TLSSocket) {
    takePlaintext(socket, other);
  } else {
    other.on('data', (chunk) => receive(socket,
      typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    other.on('end', () => onTransport.call(socket, EOF));
  }
  other.on('error', (error) => socket.destroy(error));
  other.on('close', () => { if (!socket.destroyed) endOrDestroy(socket); });
  other.pause?.();
  if (other.connecting) {
    socket.connecting = true;
    other.once('connect', () => {
      socket.connecting = false;
      socket.emit('connect');
    });
  }
  process.nextTick(() => { if (!socket.destroyed) socket.read(0); });
}

// What comes out of a TLS socket below is for this one alone: its listeners hear no more of it.
function takePlaintext(socket, other) {
  other._onPlaintext = (count, chunk) => {
    if (count === EOF) {
      onTransport.call(socket, EOF);
      onPlaintext.call(other, EOF);
      return;
    }
    other[kPlainRead] += count;
    receive(socket, chunk);
  };
  process.nextTick(() => {
    if (socket.destroyed) return;
    for (let chunk; other.readableLength > 0 && (chunk = other.read()) !== null;)
      receive(socket, chunk);
    if (other.readableEnded || other._readableState.ended) onTransport.call(socket, EOF);
    else if (!other.destroyed) other._read(0);
  });
}

function endOrDestroy(socket) {
  if (socket._secureEstablished && !socket._readableState.ended) onTransport.call(socket, EOF);
  socket.destroy();
}

function receive(socket, chunk) {
  if (socket._engine === null) return;
  socket._unrefTimer();
  native().receive(socket._engine, socket, transport(socket), chunk);
}

// The handle has no more bytes, or failed; called on the socket.
function onTransport(count) {
  if (this.destroyed) return;
  if (count !== EOF) {
    this.destroy(systemError(count, 'read'));
    return;
  }
  if (isOurs(this._handle)) streams.readStop(this._handle);
  this._isReading = true;
  this._onPlaintext(EOF);
}

class TLSSocketMethods extends net._Socket {
  _attach() {
    if (!isOurs(this._handle) || this._engine === null) return;
    streams.setReader(this._handle, onTransport, this);
    native().attach(this._engine, this._handle);
  }

  get pending() { return this[kCarrier] ? Boolean(this.connecting) : super.pending; }

  get bufferSize() { return this._engine === null ? undefined : this.writableLength; }

  get ssl() { return this._engine === null ? null : verify.viewOf(this); }

  set ssl(value) {}

  get bytesRead() { return this[kPlainRead] + countedOf(this)[0]; }

  get bytesWritten() {
    if (this._writableState === undefined) return undefined; // a prototype is no socket
    let bytes = this[kPlainWritten] + countedOf(this)[1];
    for (const { chunk, encoding } of this.writableBuffer ?? []) {
      bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
    }
    return bytes;
  }

  _start() {
    if (this.connecting) {
      this.once('connect', this._start);
      return;
    }
    if (this._engine === null || this.destroyed) return;
    receive(this, undefined);
    // The handshake goes on in a socket that is paused, too.
    if (!this.destroyed && this.isPaused()) this.read(0);
  }

  _read(n) {
    if (this[kCarrier] !== null) {
      this[kCarrier].resume?.();
      return;
    }
    super._read(n);
    if (this[kHeldEnd] && this[into.kLeft] === undefined) {
      this[kHeldEnd] = false;
      this._onPlaintext(EOF);
    }
  }

  _onPlaintext(count, chunk) {
    const state = this._readableState;
    if (this.destroyed) return;
    if (count === EOF) {
      if (this[into.kLeft] !== undefined) {
        this[kHeldEnd] = true;
      } else if (state.endEmitted) {
        if (this.writableFinished) this.destroy();
      } else if (!state.ended) {
        this.push(null);
        this.read(0);
      }
      return;
    }
    this[kPlainRead] += count;
    if (this[into.kInto] !== undefined) {
      const left = this[into.kLeft];
      if (left === undefined) into.give(this, chunk);
      else this[into.kLeft] = Buffer.concat([left, chunk]);
      return;
    }
    if (state.flowing === true && state.length === 0 && state.reading && !state.ended &&
        !state.sync && state.decoder === null && state.awaitDrainWriters === null &&
        this._events.data !== undefined && this._parsedBy === null) {
      state.dataEmitted = true;
      this.emit('data', chunk);
    } else if (!this.push(chunk)) {
      this._stopReading();
    }
  }

  // May a parser have the plaintext in C, and write past the stream?
  _hasWay() {
    return this[kCarrier] === null && this._engine !== null && this[into.kInto] === undefined &&
      this._onPlaintext === onPlaintext;
  }

  _mayWritePast() {
    return this._secureEstablished && this.write === write && this._write === writeOne &&
      this._writeGeneric === writeGeneric;
  }

  _stopReading() {
    if (this[kCarrier] !== null) {
      this[kCarrier].pause?.();
    } else if (this._handle && this._isReading) {
      this._isReading = false;
      streams.readStop(this._handle);
    }
  }

  // Never the short way of net.Socket, which has the system take the bytes as they are.
  write(chunk, encoding, callback) {
    return Duplex.prototype.write.call(this, chunk, encoding, callback);
  }

  _write(data, encoding, callback) { super._write(data, encoding, callback); }

  _writeGeneric(data, callback) {
    if (this._engine === null) {
      callback(withCode(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
      return;
    }
    if (!this._secureEstablished) {
      this[kWaiting] = { data, callback };
      return;
    }
    const before = this[kAfterWrite];
    this[kAfterWrite] = callback;
    const status = native().write(this._engine, this, transport(this), data, onWritten);
    this[kPlainWritten] += lengthOf(data);
    if (this[kCarrier] !== null && status === 1) {
      this[kAfterWrite] = before;
      if (this[kUnsent] === 0) process.nextTick(callback);
      else this[kAfterSent] = callback;
    } else if (status !== 0) {
      this[kAfterWrite] = before;
      if (status === 1) process.nextTick(callback);
      else callback(typeof status === 'number' ? systemError(status, 'write') : status);
    }
  }

  _onCiphertext(bytes) {
    const carrier = this[kCarrier];
    if (carrier === null || carrier.destroyed || !carrier.writable) return;
    this[kUnsent]++;
    carrier.write(bytes, (error) => {
      this[kUnsent]--;
      const callback = this[kAfterSent];
      if (callback !== null && (this[kUnsent] === 0 || error)) {
        this[kAfterSent] = null;
        callback(error);
      }
    });
  }

  // Of the handshake, or an alert: if the other side does not take it, reading ends, too.
  _onFlushed() {}

  _final(callback) {
    if (this.connecting) {
      this.once('connect', () => this._final(callback));
      return;
    }
    if (this._engine === null) {
      callback();
      return;
    }
    native().shutdown(this._engine, this, transport(this));
    if (this[kCarrier] !== null) {
      const carrier = this[kCarrier];
      if (carrier.destroyed || carrier.writableEnded) callback();
      else carrier.end(() => callback());
      return;
    }
    super._final(callback);
  }

  _destroy(error, callback) {
    const carrier = this[kCarrier] ?? this._parent;
    const waiting = this[kWaiting];
    this[kWaiting] = null;
    this._destroySSL();
    if (waiting !== null) {
      waiting.callback(Object.assign(systemError(ECANCELED, 'write'),
        { message: 'write ECANCELED Canceled because of SSL destruction' }));
    }
    if (!carrier) {
      super._destroy(error, callback);
      return;
    }
    this._handle = null;
    super._destroy(error, callback);
    if (!carrier.destroyed) carrier.destroy();
  }

  _destroySSL() {
    if (this._engine === null) return;
    const [read, written] = countedOf(this);
    this[kPlainRead] += read;
    this[kPlainWritten] += written;
    native().close(this._engine);
    this._engine = null;
  }

  _onTlsError(error) {
    if (this._hadError || this.destroyed) return;
    this._hadError = true;
    if (this._secureEstablished) this.destroy(error);
    else this._emitTLSError(this._pskFailure || error);
  }

  // A server hears of it while the socket is still whole.
  _emitTLSError(error) {
    if (this._tlsOptions.server && !this._controlReleased) {
      this._tlsError(error);
      if (!this.destroyed) this.destroy(error);
    } else {
      this.destroy(error);
    }
  }

  // Errors before the server has given the socket away are the server's.
  _tlsError(error) {
    this.emit('_tlsError', error);
    return this._controlReleased ? error : null;
  }

  _handleTimeout() {
    this._emitTLSError(withCode(Error, 'ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout'));
  }

  _releaseControl() {
    if (this._controlReleased) return false;
    this._controlReleased = true;
    this.removeListener('error', this._tlsError);
    return true;
  }

  _onSecure() {
    if (this._newSessionPending) this._securePending = true;
    else this._finishInit();
  }

  _finishInit() {
    if (this._engine === null) return;
    this.alpnProtocol = native().alpn(this._engine);
    if (this.servername === null) this.servername = native().servername(this._engine);
    if (this._tlsOptions.isServer && this.servername === null) this.servername = false;
    this._secureEstablished = true;
    if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
    this.emit('secure');
    const waiting = this[kWaiting];
    if (waiting !== null && !this.destroyed) {
      this[kWaiting] = null;
      this._writeGeneric(waiting.data, waiting.callback);
    }
  }

  // Several may come at once; each is the session while its event lasts.
  _onSession(session, id) {
    this._told = session;
    if (this._tlsOptions.isServer) hello.newSession(this, id, session);
    else verify.session(this, session);
    this._told = undefined;
  }

  _onKeylog(line) { this.emit('keylog', line); }

  _onOcsp(response) { this.emit('OCSPResponse', response.length > 0 ? response : null); }

  _onHello(servername, alpn, sessionId, hasTicket) {
    hello.answer(this, servername, alpn, sessionId, hasTicket);
  }

  _onCertificate(wantsOcsp) { hello.certificate(this, wantsOcsp); }

  _onPsk(...args) { return hello.psk(this, args); }

  setServername(name) {
    validateString(name, 'name');
    if (this._tlsOptions.isServer) {
      throw withCode(Error, 'ERR_TLS_SNI_FROM_SERVER',
        'Cannot issue SNI from a TLS server-side socket');
    }
    if (this._engine !== null) native().setServername(this._engine, name);
  }

  setSession(session) {
    if (typeof session === 'string') session = Buffer.from(session, 'latin1');
    if (this._engine !== null) native().setSession(this._engine, session);
  }

  ref() {
    if (this[kCarrier] === null) return super.ref();
    this[kCarrier].ref?.();
    return this;
  }

  unref() {
    if (this[kCarrier] === null) return super.unref();
    this[kCarrier].unref?.();
    return this;
  }

  _name(which) {
    const carrier = this[kCarrier];
    if (carrier === null) return super._name(which);
    return typeof carrier._name === 'function' ? carrier._name(which) : {};
  }
}
withMethods(TLSSocket, TLSSocketMethods);
Object.assign(TLSSocket.prototype, { _tlsOptions: undefined });
const { _onPlaintext: onPlaintext, write, _write: writeOne, _writeGeneric: writeGeneric } =
  TLSSocket.prototype;
require('internal/tls/state').extend(TLSSocket.prototype);

// What went past this object, between the engine and a parser.
function countedOf(socket) {
  return socket._engine ? native().counted(socket._engine) : NOTHING;
}

function lengthOf(data) {
  if (typeof data === 'string') return Buffer.byteLength(data);
  if (!Array.isArray(data)) return data.byteLength;
  return data.reduce((sum, one) => sum + one.byteLength, 0);
}

function onWritten(status) {
  const callback = this[kAfterWrite];
  this[kAfterWrite] = null;
  if (callback !== null) callback(status < 0 ? systemError(status, 'write') : undefined);
}

module.exports = { TLSSocket, receive };
