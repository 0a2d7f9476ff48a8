'use strict';
const { Duplex } = require('stream');
const native = binding('stream');
const dns = binding('dns');
const { Server, normalizeArgs, normalizedArgsSymbol } = require('internal/net/server');
const { startConnect, lookupAndConnect } = require('internal/net/connect');
const { systemError, invalidArgType, invalidArgValue, withCode, outOfRange } =
  require('internal/errors/errors');
const { validateBoolean, validateFunction, validateInteger, validateNumber, validatePort } =
  require('internal/errors/validators');

const { isOurs } = require('internal/net/handles');
const told = require('internal/diagnostics/told_channels');
const { withMethods } = require('internal/util/callable');
const into = require('internal/net/into');

const { nextTick } = binding('gate');

const EOF = -4095;
const LONGEST = 2 ** 31 - 1; // milliseconds that a timer takes
const kTimeout = Symbol('timeout');
const kTold = Symbol('told');
const kTaken = Symbol('the chunk is written already');
const kAfterWrite = Symbol('afterWrite');
const { kInto } = into;

// Are the bytes of a chunk those that UTF-8 gives?
function isUtf8(chunk, encoding) {
  return encoding === undefined || encoding === null ||
    (encoding === 'latin1' && typeof chunk === 'string' &&
      Buffer.byteLength(chunk) === chunk.length);
}

// What may be called when the bytes are written.
function isAfterwards(callback) {
  return callback === undefined || callback === null || typeof callback === 'function';
}

function isIP(text) {
  if (typeof text !== 'string' && !(text && typeof text === 'object')) return 0;
  text = `${text}`;
  const zone = text.indexOf('%');
  if (zone !== -1 && !/^[0-9a-zA-Z-.:]+$/.test(text.slice(zone + 1))) return 0;
  return dns.family(text);
}
const isIPv4 = (text) => isIP(text) === 4;
const isIPv6 = (text) => isIP(text) === 6;

function Socket(options = {}) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (typeof options === 'number') options = { fd: options };
  checkSocketOptions(options);
  const { handle, fd, allowHalfOpen, signal, ...rest } = options;
  Duplex.call(this, { ...rest, allowHalfOpen: Boolean(allowHalfOpen), emitClose: false,
    autoDestroy: true, decodeStrings: false, objectMode: false });
  this.connecting = false;
  this._hadError = false;
  this._handle = null;
  this._parent = null;
  this._parsedBy = null; // the HTTP connection whose parser reads the handle
  this._host = null;
  this._server = options.server || null;
  this.server = this._server;
  this[kTimeout] = null;
  this.timeout = undefined;
  this._bytesRead = 0;
  this._bytesDispatched = 0;
  this._pendingData = null;
  this._isReading = false;
  this[kAfterWrite] = null;
  this[kTold] = false;
  if (handle) {
    this._handle = handle;
  } else if (fd !== undefined) {
    validateInteger(fd, 'fd', 0, LONGEST);
    const kind = binding('process').guessHandle(fd);
    if (kind !== 'PIPE' && kind !== 'TCP') {
      throw withCode(TypeError, 'ERR_INVALID_FD_TYPE', `Unsupported fd type: ${kind}`);
    }
    this._handle = kind === 'TCP' ? native.newTcp() : native.newPipe(0);
    const status = native.open(this._handle, fd);
    if (status) throw systemError(status, 'open');
  }
  this.on('end', onReadableEnd);
  if (options.onread) {
    validateFunction(options.onread.callback, 'options.onread.callback');
    this[kInto] = options.onread;
  }
  if (this._handle) {
    this._attach();
    if (options.manualStart !== true && options.readable !== false) {
      if (options.pauseOnCreate) this._readableState.flowing = false;
      else this.read(0);
    }
  }
  if (signal) require('stream').addAbortSignal(signal, this);
}

// A parser reads the handle, past the stream.
function shareBytes(socket) {
  const { _parsedBy: reader } = socket;
  if (reader !== null && reader !== undefined && socket._handle === reader.handle) reader.share();
}

class SocketMethods extends Duplex {
  // What a program puts into a socket that a parser reads goes the parser's way.
  push(chunk, encoding) {
    if (this._parsedBy === null || chunk === null) return super.push(chunk, encoding);
    this._parsedBy.take(chunk, encoding);
    return true;
  }

  on(event, listener) {
    if (event === 'data') shareBytes(this);
    return super.on(event, listener);
  }

  addListener(event, listener) { return this.on(event, listener); }

  prependListener(event, listener) {
    if (event === 'data') shareBytes(this);
    return super.prependListener(event, listener);
  }

  unshift(chunk, encoding) {
    if (this._parsedBy === null || chunk === null) return super.unshift(chunk, encoding);
    this._parsedBy.take(chunk, encoding);
    return true;
  }

  _attach() {
    if (!isOurs(this._handle)) {
      require('internal/net/foreign_handle').attach(this);
      return;
    }
    native.setReader(this._handle, this[kInto] ? readInto : onRead, this);
  }

  get _connecting() { return this.connecting; }

  get pending() { return !this._handle || this.connecting; }

  get readyState() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }

  get bufferSize() { return this._handle ? this.writableLength : undefined; }

  get bytesRead() {
    return isOurs(this._handle) ? native.bytesRead(this._handle) : this._bytesRead;
  }

  get bytesWritten() {
    if (this._writableState === undefined) return undefined; // a prototype is no socket
    let bytes = isOurs(this._handle) ? native.bytesWritten(this._handle) : this._bytesDispatched;
    for (const { chunk, encoding } of this.writableBuffer ?? []) {
      bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
    }
    const pending = this._pendingData;
    if (pending) bytes += typeof pending === 'string' ? Buffer.byteLength(pending) : pending.length;
    return bytes;
  }

  connect(...args) {
    const isReady = Array.isArray(args[0]) && args[0][normalizedArgsSymbol] === true;
    const [options, callback] = isReady ? args[0] : normalizeArgs(args);
    if (this.destroyed) {
      this._handle = null;
      this._peer = undefined;
      this._resets = false;
      this._isReading = false;
      this[kAfterWrite] = null;
      this._undestroy();
    }
    if (Object.hasOwn(this, 'write')) delete this.write;
    if (callback !== null) this.once('connect', callback);
    this.connecting = true;
    const { path } = options;
    if (!this._handle) {
      this._handle = path ? native.newPipe(0) : native.newTcp();
      this._attach();
    }
    this._unrefTimer();
    if (options.noDelay) this._noDelay = true;
    if (options.keepAlive) this._keepAlive = options.keepAliveInitialDelay || 0;
    if (options.timeout) this.setTimeout(options.timeout);
    if (path) {
      if (typeof path !== 'string') throw invalidArgType('options.path', 'string', path);
      startConnect(this, path, undefined);
      return this;
    }
    const host = options.host || 'localhost';
    if (options.port === undefined) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS',
        'The "options" or "port" or "path" argument must be specified');
    }
    if (typeof options.port !== 'number' && typeof options.port !== 'string') {
      throw invalidArgType('options.port', ['number', 'string'], options.port);
    }
    const port = validatePort(options.port, 'Port');
    this._host = host;
    const checked = checkConnectOptions(options);
    if (isIP(host)) {
      process.nextTick(() => {
        if (this.connecting && bindLocal(this, options)) startConnect(this, host, port);
      });
      return this;
    }
    lookupAndConnect(this, host, port, checked, () => bindLocal(this, options));
    return this;
  }

  _undestroy() {
    const r = this._readableState;
    const w = this._writableState;
    Object.assign(r, { destroyed: false, closed: false, closeEmitted: false, errored: null,
      errorEmitted: false, ended: false, endEmitted: false, reading: false, needReadable: false,
      emittedReadable: false });
    Object.assign(w, { destroyed: false, closed: false, closeEmitted: false, errored: null,
      errorEmitted: false, ended: false, ending: false, finished: false, finalCalled: false,
      prefinished: false });
  }

  _read(n) {
    if (this.connecting || !this._handle) {
      this.once('connect', () => this._read(n));
    } else if (!this._isReading) {
      this._isReading = true;
      into.giveLeft(this);
      if (!this._isReading || !this._handle) return;
      const status = isOurs(this._handle) ? native.readStart(this._handle)
        : this._handle.readStart();
      if (status) this.destroy(systemError(status, 'read'));
    }
  }

  // Bytes that the system takes at once, with nothing before them, need nothing of the stream.
  write(chunk, encoding, callback) {
    const state = this._writableState;
    if (!isUtf8(chunk, encoding) || !isAfterwards(callback) || state.length !== 0 ||
        state.writing || state.corked !== 0 || state.needDrain || state.ending ||
        state.destroyed || state.defaultEncoding !== 'utf8' || this._handle === null ||
        this.connecting || this._write !== writeOne) {
      return streamWrite.call(this, chunk, encoding, callback);
    }
    const status = native.writeChunk(this._handle, chunk, onWritten, this);
    if (status < 0) return streamWrite.call(this, chunk, encoding, callback);
    if (status === 1) {
      if (callback) nextTick(callback, null);
      return true;
    }
    // The system has a part of them: the stream learns of the chunk, and _write of nothing new.
    this[kTaken] = true;
    return streamWrite.call(this, chunk, encoding, callback);
  }

  _write(data, encoding, callback) {
    if (this[kTaken]) {
      this[kTaken] = false;
      this[kAfterWrite] = callback;
      return;
    }
    if (encoding === 'buffer' && typeof data === 'string') {
      throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE', 'Second argument must be a buffer');
    }
    this._writeGeneric(encoding === 'buffer' || encoding === 'utf8' || encoding === 'utf-8' ||
      typeof data !== 'string' ? data : Buffer.from(data, encoding), callback);
  }

  // Nobody looks at what is written, or changes it.
  _mayWritePast() {
    return !this.connecting && this.write === write && this._write === writeOne;
  }

  _writev(chunks, callback) {
    this._writeGeneric(chunks.map(({ chunk, encoding }) =>
      (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)), callback);
  }

  _writeGeneric(data, callback) {
    if (this.connecting) {
      this._pendingData = Array.isArray(data) ? Buffer.concat(data) : data;
      const onClose = () => callback(withCode(Error, 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
        'Socket closed before the connection was established'));
      this.once('connect', () => {
        this.off('close', onClose);
        this._pendingData = null;
        this._writeGeneric(data, callback);
      });
      this.once('close', onClose);
      return;
    }
    this._pendingData = null;
    if (!this._handle) {
      callback(withCode(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
      return;
    }
    const status = native.write(this._handle, data, onWritten, this);
    if (status < 0) callback(systemError(status, 'write'));
    else if (status === 1) callback();
    else this[kAfterWrite] = callback;
  }

  _final(callback) {
    if (this.pending) {
      this.once('connect', () => this._final(callback));
      return;
    }
    const status = native.shutdown(this._handle, () => callback());
    if (status === -107) callback();
    else if (status) callback(systemError(status, 'shutdown'));
  }

  _destroy(error, callback) {
    this.connecting = false;
    for (let s = this; s !== null; s = s._parent) stopTimer(s);
    if (this._handle) {
      const isException = Boolean(error);
      const handle = this._handle;
      const onClose = () => { this.emit('close', isException); };
      this._handle = null;
      if (isOurs(handle)) {
        try {
          this._bytesRead = native.bytesRead(handle);
          this._bytesDispatched = native.bytesWritten(handle);
          native.close(handle, onClose, this._resets);
        } catch {
          setImmediate(onClose); // the program has closed it
        }
      } else if (typeof handle.close === 'function') {
        handle.close(onClose);
      }
      callback(error);
    } else {
      callback(error);
      // One that never connected has nothing to tell.
      const told = this.encrypted ? [Boolean(error)] : [];
      process.nextTick(() => this.emit('close', ...told));
    }
    if (this._server) {
      this._server._connections--;
      this._server._emitCloseIfDrained();
      this._server = null;
    }
  }

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  }

  // The other side sees ECONNRESET instead of an end.
  resetAndDestroy() {
    if (!this._handle) {
      return this.destroy(withCode(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
    }
    if (this.connecting) return this.once('connect', () => this.resetAndDestroy());
    this._resets = true;
    return this.destroy();
  }

  pause() {
    if (this._handle && this._isReading && !this.destroyed) {
      this._isReading = false;
      this._readableState.reading = false;
      this._handle.readStop?.();
    }
    return super.pause();
  }

  resume() {
    if (this._handle && !this.connecting && !this._isReading) this.read(0);
    return super.resume();
  }

  setTimeout(ms, callback) {
    if (this.destroyed) return this;
    if (typeof ms !== 'number') throw invalidArgType('msecs', 'number', ms);
    if (!(ms >= 0 && Number.isFinite(ms)))
      throw outOfRange('msecs', 'a non-negative finite number', ms);
    if (ms > LONGEST) {
      process.emitWarning(`${ms} does not fit into a 32-bit signed integer.` +
        `\nTimer duration was truncated to ${LONGEST}.`, 'TimeoutOverflowWarning');
    }
    this.timeout = ms;
    stopTimer(this);
    if (ms === 0) {
      if (callback !== undefined) {
        validateFunction(callback, 'callback');
        this.removeListener('timeout', callback);
      }
    } else {
      this[kTold] = false;
      this._unrefTimer();
      startTimer(this, ms);
      if (callback !== undefined) {
        validateFunction(callback, 'callback');
        this.once('timeout', callback);
      }
    }
    return this;
  }

  // While the system still takes what was written, there is no silence.
  _onTimeout() {
    const handle = this._handle;
    const isBusy = isOurs(handle) && native.queueSize(handle) > 0 &&
      !(this.timeout > 0 && native.idleTime(handle) >= this.timeout);
    if (!isBusy) this.emit('timeout');
  }

  // Something has happened; reads and writes are noticed by the handle itself.
  _unrefTimer() {
    for (let s = this; s !== null; s = s._parent) {
      if (isOurs(s._handle)) native.touch(s._handle);
      else if (s[kTimeout]) s[kTimeout].refresh();
    }
  }

  setNoDelay(enable) {
    const isOn = enable === undefined ? true : Boolean(enable);
    const isNew = isOn !== Boolean(this._noDelay);
    this._noDelay = isOn;
    if (this._handle?.setNoDelay && !this.connecting && isNew) this._handle.setNoDelay(isOn);
    return this;
  }

  setKeepAlive(enable, delay) {
    enable = Boolean(enable);
    const seconds = ~~(delay / 1000);
    const isNew = enable !== (this._keepAlive !== undefined) ||
      (enable && seconds !== ~~(this._keepAlive / 1000));
    this._keepAlive = enable ? delay || 0 : undefined;
    if (this._handle?.setKeepAlive && !this.connecting && isNew) {
      this._handle.setKeepAlive(enable, seconds);
    }
    return this;
  }

  ref() {
    if (!this._handle) this.once('connect', this.ref);
    else this._handle.ref?.();
    return this;
  }

  unref() {
    if (!this._handle) this.once('connect', this.unref);
    else this._handle.unref?.();
    return this;
  }

  _name(which) {
    if (!isOurs(this._handle)) return {};
    const got = native[which](this._handle);
    if (!Array.isArray(got)) return {};
    return { address: got[0], family: got[2], port: got[1] };
  }

  _peername() {
    if (!this._peer || !this._peer.address) this._peer = this._name('peername');
    return this._peer;
  }

  address() { return this._name('sockname'); }

  get remoteAddress() { return this._peername().address; }

  get remoteFamily() { return this._peername().family; }

  get remotePort() { return this._peername().port; }

  get localAddress() { return this._name('sockname').address; }

  get localPort() { return this._name('sockname').port; }

  get localFamily() { return this._name('sockname').family; }
}
withMethods(Socket, SocketMethods);

function checkSocketOptions(options) {
  for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode']) {
    if (options?.[name]) {
      throw invalidArgValue(`options.${name}`, options[name], 'is not supported');
    }
  }
}

function checkConnectOptions(options) {
  if (options.localAddress && !isIP(options.localAddress)) {
    throw withCode(TypeError, 'ERR_INVALID_IP_ADDRESS',
      `Invalid IP address: ${options.localAddress}`);
  }
  if (options.localPort) validateNumber(options.localPort, 'options.localPort');
  let { autoSelectFamily: isAuto, autoSelectFamilyAttemptTimeout: limit } = options;
  if (isAuto !== undefined && isAuto !== null) {
    validateBoolean(isAuto, 'options.autoSelectFamily');
  } else {
    isAuto = autoSelectFamily;
  }
  if (limit !== undefined && limit !== null) {
    validateInteger(limit, 'options.autoSelectFamilyAttemptTimeout', 1, LONGEST);
    limit = Math.max(limit, 10);
  } else {
    limit = attemptTimeout;
  }
  return { ...options, autoSelectFamily: isAuto, autoSelectFamilyAttemptTimeout: limit };
}

// Where the socket itself is to be; false if that can't be.
function bindLocal(socket, { localAddress, localPort }) {
  if (!localAddress && !localPort) return true;
  const status = native.bind(socket._handle, localAddress || '0.0.0.0', localPort || 0, 0);
  if (status) {
    socket.destroy(systemError(status, 'bind', localAddress, localPort));
    return false;
  }
  if (localPort) {
    const { address } = socket._name('sockname');
    socket._boundTo = { localAddress: localAddress || address, localPort };
  }
  return true;
}

// With the option `onread`. Called on the socket.
function readInto(count, chunk) {
  if (count <= 0) readSlowly(this, count, chunk);
  else if (!this.destroyed) into.give(this, chunk);
}

function stopTimer(socket) {
  if (!socket[kTimeout]) return;
  clearTimeout(socket[kTimeout]);
  socket[kTimeout] = null;
}

function startTimer(socket, ms) {
  socket[kTimeout] = setTimeout(onTimer, Math.min(ms, LONGEST), socket);
  socket[kTimeout].unref();
}

// The timer is not moved with every read and write: it looks how long ago the last one was. After
// 'timeout' there is no other before something has happened again.
function onTimer(socket) {
  const left = isOurs(socket._handle) ? socket.timeout - native.idleTime(socket._handle) : 0;
  const told = socket[kTold];
  socket[kTold] = left <= 0;
  startTimer(socket, left > 0 ? left : socket.timeout);
  if (left <= 0 && !told) socket._onTimeout();
}

function onReadableEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

function writeAfterEnd(chunk, encoding, callback) {
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, callback);
  const error = new Error('This socket has been ended by the other party');
  error.code = 'EPIPE';
  if (typeof encoding === 'function') callback = encoding;
  if (typeof callback === 'function') process.nextTick(callback, error);
  this.destroy(error);
  return false;
}

const { write, _write: writeOne } = Socket.prototype;
const streamWrite = Duplex.prototype.write;

// The system has taken what waited; called on the socket.
function onWritten(result) {
  const callback = this[kAfterWrite];
  this[kAfterWrite] = null;
  if (result < 0) {
    callback(systemError(result, 'write'));
    return;
  }
  callback();
}

// Called on the socket. A chunk for the one listener of a stream that flows goes straight to it.
function onRead(count, chunk) {
  const state = this._readableState;
  if (count > 0 && state.flowing === true && state.length === 0 && state.reading &&
      !state.destroyed && !state.ended && !state.sync && state.decoder === null &&
      state.awaitDrainWriters === null && this._handle !== null &&
      this._events.data !== undefined) {
    state.dataEmitted = true;
    this.emit('data', chunk);
    return;
  }
  readSlowly(this, count, chunk);
}

function readSlowly(socket, count, chunk) {
  if (socket.destroyed || !socket._handle) return;
  if (count > 0) {
    if (!socket.push(chunk) && socket._handle) {
      socket._isReading = false;
      const status = native.readStop(socket._handle);
      if (status) socket.destroy(systemError(status, 'read'));
    }
    return;
  }
  if (count !== EOF) {
    socket.destroy(systemError(count, 'read'));
    return;
  }
  native.readStop(socket._handle);
  socket._isReading = true;
  if (socket._readableState.endEmitted) {
    if (socket.writableFinished) socket.destroy();
  } else {
    socket.push(null);
    socket.read(0);
  }
}

// Addresses are tried one after the other; an attempt has this time before the next one.
let autoSelectFamily = true;
let attemptTimeout = 250;
if (process.execArgv?.length > 0) {
  const given = require('internal/boot/options');
  autoSelectFamily = given.isOn('network-family-autoselection') ??
    given.isOn('enable-network-family-autoselection') ?? true;
  const limit = given.last('network-family-autoselection-attempt-timeout');
  if (limit !== undefined) attemptTimeout = Math.max(10, Number(limit));
}

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  told['net.client.socket']?.publish({ socket });
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

let isAcceptsWarned = false;

module.exports = {
  Socket, Stream: Socket, Server, isIP, isIPv4, isIPv6,
  connect, createConnection: connect,
  createServer: (options, listener) => new Server(options, listener),
  getDefaultAutoSelectFamily: () => autoSelectFamily,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => attemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInteger(value, 'value', 1, LONGEST);
    attemptTimeout = Math.max(value, 10);
  },
  _normalizeArgs: normalizeArgs,
  _setSimultaneousAccepts() {
    if (isAcceptsWarned) return;
    isAcceptsWarned = true;
    process.emitWarning('net._setSimultaneousAccepts() is deprecated and will be removed.',
      'DeprecationWarning', 'DEP0121');
  },
  get BlockList() { return require('internal/net/block_list').BlockList; },
  get SocketAddress() { return require('internal/net/block_list').SocketAddress; },
};
Object.defineProperty(module.exports, '_Socket', { value: Socket });
Object.defineProperty(module.exports, '_Server', { value: Server });
Object.defineProperty(module.exports, '_kTimeout', { value: kTimeout });
