'use strict';
// The listening side of net, and how its functions and connect read their arguments.
const EventEmitter = require('events');
const native = binding('stream');
const ids = require('internal/async/ids');
const { isOurs } = require('internal/net/handles');
const told = require('internal/diagnostics/told_channels');
const sharing = require('internal/cluster/sharing');
const { withMethods } = require('internal/util/callable');
const { systemError, systemErrorWithText, invalidArgType, invalidArgValue, withCode } =
  require('internal/errors/errors');
const { validateNumber, validatePort, validateAbortSignal } = require('internal/errors/validators');
const { getDefault } = require('internal/streams/state');

let Socket; // net loads this module
const LISTEN = 'tracing:net.server.listen'; // a channel

// Marks what normalizeArgs() has made.
const normalizedArgsSymbol = Symbol('normalizedArgs');

function normalizeArgs(args) {
  let options = {};
  const callback = typeof args[args.length - 1] === 'function' ? args[args.length - 1] : null;
  const [first] = args;
  if (first !== null && typeof first === 'object') {
    options = { ...first };
  } else if (typeof first === 'string' && !(Number(first) >= 0)) {
    options.path = first;
  } else if (args.length > 0 && typeof first !== 'function') {
    options.port = first;
    if (args.length > 1 && typeof args[1] === 'string') [, options.host] = args;
  }
  const normalized = [options, callback];
  normalized[normalizedArgsSymbol] = true;
  return normalized;
}

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  EventEmitter.call(this);
  if (typeof options === 'function') {
    listener = options;
    options = {};
  } else if (options !== undefined && options !== null && typeof options !== 'object') {
    throw invalidArgType('options', 'Object', options);
  }
  options = { ...options };
  if (listener) this.on('connection', listener);
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false; // see internal/socket_lists
  this._workers = [];
  this._unref = false;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) this.keepAliveInitialDelay = 0;
  }
  this.maxConnections = undefined;
  this.highWaterMark = options.highWaterMark ?? getDefault(false);
  Object.defineProperty(this, '_sockets', { value: new Set(), enumerable: false });
}

function askForName(handle) {
  const out = {};
  const status = handle.getsockname(out);
  if (status) throw systemError(status, 'address');
  return out;
}

function checkPipe({ path, readableAll, writableAll }) {
  if (path[0] === '\0' && (readableAll || writableAll)) {
    throw invalidArgValue('options', { path, readableAll, writableAll },
      'can not set readableAll or writableAllt to true when path is abstract unix socket');
  }
}

class ServerMethods extends EventEmitter {
  get listening() { return Boolean(this._handle); }

  listen(...args) {
    const [options, callback] = normalizeArgs(args);
    const given = args[0]?._handle ?? args[0]?.handle ?? args[0];
    if (this._handle) {
      throw withCode(Error, 'ERR_SERVER_ALREADY_LISTEN',
        'Listen method has been called more than once without closing.');
    }
    if (callback !== null) this.once('listening', callback);
    told[`${LISTEN}:asyncStart`]?.publish({ server: this, options });
    const backlog = options.backlog || (typeof args[1] === 'number' ? args[1] : args[2]);
    if (options.signal) {
      validateAbortSignal(options.signal, 'options.signal');
      const onAbort = () => this.close();
      if (options.signal.aborted) process.nextTick(onAbort);
      else options.signal.addEventListener('abort', onAbort, { once: true });
    }
    if (isOurs(given)) {
      this._beginOr(native.listen(given, backlog || 511), given);
      return this;
    }
    this._isExclusive = Boolean(options.exclusive);
    if (typeof options.fd === 'number' && options.fd >= 0) {
      this._listenOn(options.fd, backlog);
      return this;
    }
    if (args.length === 0 || typeof args[0] === 'function' ||
        (options.port === undefined && 'port' in options) || options.port === null) {
      options.port = 0;
    }
    if (typeof options.port === 'number' || typeof options.port === 'string') {
      const port = validatePort(options.port, 'options.port');
      if (options.host) {
        this._isCancelled = false;
        require('dns').lookup(options.host, (error, address) => {
          if (error) this.emit('error', error);
          else if (!this._isCancelled) this._listen(address, port, backlog, options.ipv6Only);
        });
      } else {
        this._listen(options.host || null, port, backlog, options.ipv6Only);
      }
      return this;
    }
    if (options.path && typeof options.path === 'string') {
      checkPipe(options);
      this._pipeName = options.path;
      this._listen(options.path, undefined, backlog);
      const mode = (options.readableAll ? 1 : 0) | (options.writableAll ? 2 : 0);
      if (mode !== 0 && this._handle) native.chmodPipe(this._handle, mode);
      return this;
    }
    if ('port' in options || 'path' in options) throw invalidArgValue('options', options);
    throw invalidArgValue('options', options,
      'must have the property "port" or "path"');
  }

  // A descriptor that someone else has bound.
  _listenOn(fd, backlog) {
    if (sharing.ask && !this._isExclusive) {
      this._listenThrough({ address: null, port: -1, addressType: null, fd, backlog, flags: 0 });
      return;
    }
    const kind = binding('process').guessHandle(fd);
    const handle = kind === 'TCP' ? native.newTcp(0, true) : native.newPipe(0, true);
    let status = kind === 'TCP' || kind === 'PIPE' ? native.open(handle, fd) : -22;
    if (status === 0) status = native.listen(handle, backlog || 511);
    this._beginOr(status, handle);
  }

  _beginOr(status, handle) {
    if (status === 0) {
      this._begin(handle);
      return;
    }
    native.close(handle, undefined);
    const error = systemErrorWithText(status, 'listen');
    process.nextTick(() => this.emit('error', error));
  }

  // In a worker of a cluster the primary listens.
  _listenThrough(query) {
    const { address, port } = query;
    sharing.ask(this, query, (status, handle) => {
      if (status === 0 && this._handle) handle.close(); // it was told to listen twice
      else if (status === 0) this._begin(handle);
      else {
        this.emit('error', systemError(status, 'bind', address,
          port === -1 ? undefined : port));
      }
    });
  }

  _begin(handle) {
    this._handle = handle;
    if (isOurs(handle)) native.setReader(handle, undefined, this); // whose it is
    handle.onconnection = (result, client) => this._onConnection(result, client);
    if (this._unref) this.unref();
    told[`${LISTEN}:asyncEnd`]?.publish({ server: this });
    ids.below(ids.idOf(handle), process.nextTick, () => {
      if (this._handle) this.emit('listening');
    });
  }

  _listen(address, port, backlog = 511, ipv6Only = false) {
    if (sharing.ask && !this._isExclusive) {
      const isPipe = port === undefined;
      // The primary may be in another folder.
      if (isPipe && address[0] !== '\0') address = require('path').resolve(address);
      this._listenThrough({ address, port: isPipe ? -1 : port, backlog,
        addressType: isPipe ? -1 : require('net').isIP(address ?? '::') || 4,
        flags: ipv6Only ? 1 : 0 });
      return;
    }
    let handle;
    let status;
    if (port === undefined) {
      handle = native.newPipe(0, true);
      status = native.bind(handle, address, 0, 0);
    } else {
      handle = native.newTcp(0, true);
      if (address === null) {
        address = '::';
        status = native.bind(handle, '::', port, ipv6Only ? 1 : 0);
        if (status === -22 || status === -97 || status === -99) {
          native.close(handle, undefined);
          handle = native.newTcp(0, true);
          address = '0.0.0.0';
          status = native.bind(handle, address, port, 0);
        }
      } else {
        status = native.bind(handle, address, port, ipv6Only ? 1 : 0);
      }
    }
    if (status === 0) status = native.listen(handle, backlog || 511);
    if (status !== 0) {
      native.close(handle, undefined);
      const error = systemErrorWithText(status, 'listen', address, port);
      told[`${LISTEN}:error`]?.publish({ server: this, error });
      process.nextTick(() => this.emit('error', error));
      return;
    }
    const kind = port === undefined ? -1 : (require('net').isIP(address) || 4);
    this._connectionKey = `${kind}:${address}:${port === undefined ? -1 : port}`;
    this._begin(handle);
  }

  _onConnection(status, client) {
    if (status) {
      this.emit('error', systemError(status, 'accept'));
      return;
    }
    if (this.maxConnections && this._connections >= this.maxConnections) {
      const local = native.sockname(client);
      const remote = native.peername(client);
      native.close(client, undefined);
      if (Array.isArray(local) && Array.isArray(remote)) {
        this.emit('drop', { localAddress: local[0], localPort: local[1], localFamily: local[2],
          remoteAddress: remote[0], remotePort: remote[1], remoteFamily: remote[2] });
      } else {
        this.emit('drop');
      }
      return;
    }
    Socket ??= require('net')._Socket;
    const socket = new Socket({ handle: client, allowHalfOpen: this.allowHalfOpen,
      pauseOnCreate: this.pauseOnConnect, readable: true, writable: true,
      readableHighWaterMark: this.highWaterMark, writableHighWaterMark: this.highWaterMark });
    if (this.noDelay) {
      socket._noDelay = true;
      client.setNoDelay(true);
    }
    if (this.keepAlive) {
      socket._keepAlive = this.keepAliveInitialDelay * 1000;
      client.setKeepAlive(true, this.keepAliveInitialDelay);
    }
    this._connections++;
    socket.server = this;
    socket._server = this;
    this.emit('connection', socket);
    told['net.server.socket']?.publish({ socket });
  }

  address() {
    if (this._pipeName) return this._pipeName;
    if (!this._handle) return null;
    // Programs may have put their own there.
    if (Object.hasOwn(this._handle, 'getsockname')) return askForName(this._handle);
    const got = isOurs(this._handle) ? native.sockname(this._handle) : this._handle.sockname();
    return Array.isArray(got) ? { address: got[0], family: got[2], port: got[1] } : null;
  }

  getConnections(callback) {
    if (this._usingWorkers) require('internal/net/socket_lists').count(this, callback);
    else process.nextTick(callback, null, this._connections);
    return this;
  }

  close(callback) {
    if (typeof callback === 'function') {
      if (!this._handle) {
        this.once('close', () => callback(
          withCode(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.')));
      } else {
        this.once('close', callback);
      }
    }
    this._isCancelled = true;
    if (this._handle) {
      this._handle.close();
      this._handle = null;
    }
    this._emitCloseIfDrained();
    return this;
  }

  _emitCloseIfDrained() {
    if (this._handle || this._connections > 0) return;
    if (this._usingWorkers && !require('internal/net/socket_lists').areClosed(this)) return;
    process.nextTick(() => {
      if (!this._handle && this._connections <= 0) this.emit('close');
    });
  }

  ref() {
    this._unref = false;
    if (this._handle) this._handle.ref();
    return this;
  }

  unref() {
    this._unref = true;
    if (this._handle) this._handle.unref();
    return this;
  }

  // A connection whose listener was async and failed.
  [Symbol.for('nodejs.rejection')](error, event, socket) {
    if (event === 'connection') socket.destroy(error);
    else this.emit('error', error);
  }

  async [Symbol.asyncDispose || Symbol.for('asyncDispose')]() {
    if (this._handle) await new Promise((resolve) => { this.close(resolve); });
  }
}
withMethods(Server, ServerMethods);

module.exports = { Server, normalizeArgs, normalizedArgsSymbol };
