'use strict';
const told = require('internal/diagnostics/told_channels');
const EventEmitter = require('events');
const native = binding('udp');
const { isOurs } = require('internal/net/handles');
const { createSocketHandle, isDescriptor, kState, kindOf, newHandle } =
  require('internal/dgram/handle');
const { invalidArgType, missingArgs, systemError, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateFunction, validateNumber, validatePort, validateString,
  validateUint32 } = require('internal/errors/validators');

const ANY = { udp4: '0.0.0.0', udp6: '::' };
const EINVAL = -22;
const BYTES = ['Buffer', 'TypedArray', 'DataView', 'string'];
const [UNBOUND, BINDING, BOUND] = [0, 1, 2];
const [DISCONNECTED, CONNECTING, CONNECTED] = [0, 1, 2];

function toBytes(one, list) {
  if (typeof one === 'string') return Buffer.from(one);
  if (ArrayBuffer.isView(one)) return one;
  throw list === undefined ? invalidArgType('buffer', BYTES, one)
    : invalidArgType('buffer list arguments', BYTES, list);
}

function outOfBounds(name) {
  return withCode(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS',
    `"${name}" is outside of buffer bounds`);
}

function sliced(buffer, offset, length) {
  const bytes = toBytes(buffer);
  offset >>>= 0;
  length >>>= 0;
  if (offset > bytes.byteLength) throw outOfBounds('offset');
  if (offset + length > bytes.byteLength) throw outOfBounds('length');
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, length);
}

function check(socket) {
  if (!socket[kState].handle) {
    throw withCode(Error, 'ERR_SOCKET_DGRAM_NOT_RUNNING', 'Not running');
  }
  return socket[kState].handle;
}

function isConnected() {
  return withCode(Error, 'ERR_SOCKET_DGRAM_IS_CONNECTED', 'Already connected');
}

function notConnected() {
  return withCode(Error, 'ERR_SOCKET_DGRAM_NOT_CONNECTED', 'Not connected');
}

function replaceHandle(socket, handle) {
  const state = socket[kState];
  handle.lookup = state.handle.lookup;
  native.close(state.handle, undefined);
  state.handle = handle;
}

// A descriptor that somebody else has bound.
function bindDescriptor(socket, fd) {
  const kind = kindOf(fd);
  if (kind !== 'UDP') {
    throw withCode(TypeError, 'ERR_INVALID_FD_TYPE', `Unsupported fd type: ${kind}`);
  }
  const status = native.open(socket[kState].handle, fd);
  if (status) throw systemError(status, 'open');
  begin(socket);
}

function bindIfUnbound(socket) {
  if (socket[kState].bind === UNBOUND) socket.bind({ port: 0, exclusive: true }, null);
}

// send() has two forms: (data, offset, length, ...rest) and (data, ...rest). The rest is port,
// address and callback, of which a connected socket knows the first two.
function toAnybody(data, offset, length, port, address, callback) {
  const isPart = Boolean(address || (port && typeof port !== 'function'));
  if (!isPart) return { data, port: offset, address: length, callback: port };
  return { data: sliced(data, offset, length), port, address, callback };
}

function toPeer(data, offset, length, port, address, callback) {
  const order = { data, port, address, callback };
  if (typeof length !== 'number') order.callback = offset;
  else {
    order.data = sliced(data, offset, length);
    if (typeof port === 'function') Object.assign(order, { port: null, callback: port });
  }
  if (order.port || address) throw isConnected();
  return order;
}

function hostAndThen({ address, callback }) {
  if (typeof address === 'function') return { then: address };
  if (typeof (address ?? '') !== 'string') throw invalidArgType('address', 'string', address);
  return { host: address, then: typeof callback === 'function' ? callback : undefined };
}

class Socket extends EventEmitter {
  constructor(options, listener) {
    super();
    const given = options !== null && typeof options === 'object' ? { ...options }
      : { type: options };
    if (typeof given.type !== 'string' || !Object.hasOwn(ANY, given.type)) {
      throw withCode(TypeError, 'ERR_SOCKET_BAD_TYPE',
        'Bad socket type specified. Valid types are: udp4, udp6');
    }
    for (const name of ['recvBufferSize', 'sendBufferSize']) {
      if (given[name]) validateUint32(given[name], `options.${name}`);
    }
    if (given.lookup !== undefined) validateFunction(given.lookup, 'lookup');
    if (given.signal !== undefined) validateAbortSignal(given.signal, 'options.signal');
    this.type = given.type;
    Object.defineProperty(this, kState, { value: {
      handle: newHandle(given.type, given.lookup), bind: UNBOUND, connect: DISCONNECTED,
      options: given, queue: undefined, isReceiving: false,
    } });
    if (typeof listener === 'function') this.on('message', listener);
    told['udp.socket']?.publish({ socket: this });
    const { signal } = given;
    if (!signal) return;
    const stop = () => { if (this[kState].handle) this.close(); };
    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop, { once: true });
    this.once('close', () => signal.removeEventListener('abort', stop));
  }

  bind(port, address) {
    const state = this[kState];
    check(this);
    if (state.bind !== UNBOUND) {
      throw withCode(Error, 'ERR_SOCKET_ALREADY_BOUND', 'Socket is already bound');
    }
    const last = arguments[arguments.length - 1];
    if (typeof last === 'function') {
      const forget = () => {
        this.removeListener('error', forget);
        this.removeListener('listening', onListening);
      };
      const onListening = (...args) => {
        forget();
        Reflect.apply(last, this, args);
      };
      this.on('error', forget);
      this.on('listening', onListening);
    }
    if (isOurs(port)) {
      replaceHandle(this, port); // somebody else has bound it
      begin(this);
      return this;
    }
    if (isDescriptor(port?.fd)) {
      bindDescriptor(this, port.fd);
      return this;
    }
    state.bind = BINDING;
    let exclusive = this[kState].options.reusePort;
    if (port !== null && typeof port === 'object') ({ address, port, exclusive } = port);
    else if (typeof port === 'function') port = address = undefined;
    if (typeof address === 'function') address = undefined;
    state.handle.lookup(address || ANY[this.type], (error, ip) => {
      if (!state.handle) return;
      if (error) {
        state.bind = UNBOUND;
        this.emit('error', error);
        return;
      }
      if (!exclusive && require('internal/cluster/sharing').ask) bindThrough(this, ip, port);
      else bindTo(this, ip, port);
    });
    return this;
  }

  connect(port, address, callback) {
    const number = validatePort(port, 'Port', false);
    const hasHost = typeof address !== 'function';
    const host = hasHost && address !== undefined ? address : '';
    validateString(host, 'address');
    const state = this[kState];
    if (state.connect !== DISCONNECTED) throw isConnected();
    state.connect = CONNECTING;
    bindIfUnbound(this);
    whenBound(this, () => connectTo(this, number, host, hasHost ? callback : address));
  }

  disconnect() {
    if (this[kState].connect !== CONNECTED) throw notConnected();
    const status = native.disconnect(this[kState].handle);
    if (status) throw systemError(status, 'connect');
    this[kState].connect = DISCONNECTED;
  }

  // send(bytes[, offset, length][, port][, address][, callback])
  send(buffer, offset, length, port, address, callback) {
    const isBoundToPeer = this[kState].connect === CONNECTED;
    const read = isBoundToPeer ? toPeer : toAnybody;
    const order = read(buffer, offset, length, port, address, callback);
    const { data } = order;
    const list = Array.isArray(data) ? data.map((one) => toBytes(one, data)) : [toBytes(data)];
    const number = isBoundToPeer ? order.port : validatePort(order.port, 'Port', false);
    const { host, then } = hostAndThen(order);
    check(this);
    bindIfUnbound(this);
    if (list.length === 0) list.push(Buffer.alloc(0));
    whenBound(this, () => sendTo(this, list, number, host, then));
  }

  sendto(buffer, offset, length, port, address, callback) {
    const numbers = { offset, length, port };
    for (const name of Object.keys(numbers)) validateNumber(numbers[name], name);
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  }

  close(callback) {
    const state = this[kState];
    if (typeof callback === 'function') this.on('close', callback);
    if (state.queue !== undefined) {
      state.queue.push(() => this.close());
      return this;
    }
    const handle = check(this);
    state.handle = null;
    handle.close();
    process.nextTick(() => this.emit('close'));
    return this;
  }

  async [Symbol.asyncDispose]() {
    if (!this[kState].handle) return;
    await new Promise((resolve) => { this.close(resolve); });
  }

  address() {
    const got = native.sockname(check(this));
    if (!Array.isArray(got)) throw systemError(got, 'getsockname');
    return { address: got[0], family: got[2], port: got[1] };
  }

  remoteAddress() {
    const handle = check(this);
    if (this[kState].connect !== CONNECTED) throw notConnected();
    const got = native.peername(handle);
    if (!Array.isArray(got)) throw systemError(got, 'getpeername');
    return { address: got[0], family: got[2], port: got[1] };
  }

  setBroadcast(flag) { change(this, 'setBroadcast', 'setBroadcast', Boolean(flag)); }

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    change(this, 'setTTL', 'setTTL', ttl);
    return ttl;
  }

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    change(this, 'setMulticastTTL', 'setMulticastTTL', ttl);
    return ttl;
  }

  setMulticastLoopback(flag) {
    change(this, 'setMulticastLoopback', 'setMulticastLoopback', Boolean(flag));
    return flag;
  }

  setMulticastInterface(address) {
    check(this);
    validateString(address, 'interfaceAddress');
    change(this, 'setMulticastInterface', 'setMulticastInterface', address);
  }

  addMembership(group, place) {
    check(this);
    if (!group) throw missingArgs('multicastAddress');
    change(this, 'join', 'addMembership', group, place);
  }

  dropMembership(group, place) {
    check(this);
    if (!group) throw missingArgs('multicastAddress');
    change(this, 'leave', 'dropMembership', group, place);
  }

  addSourceSpecificMembership(source, group, place) {
    check(this);
    validateString(source, 'sourceAddress');
    validateString(group, 'groupAddress');
    change(this, 'joinSource', 'addSourceSpecificMembership', source, group, place);
  }

  dropSourceSpecificMembership(source, group, place) {
    check(this);
    validateString(source, 'sourceAddress');
    validateString(group, 'groupAddress');
    change(this, 'leaveSource', 'dropSourceSpecificMembership', source, group, place);
  }

  getRecvBufferSize() { return bufferSize(this, 'recv', 0); }

  getSendBufferSize() { return bufferSize(this, 'send', 0); }

  setRecvBufferSize(size) { bufferSize(this, 'recv', checkSize(size)); }

  setSendBufferSize(size) { bufferSize(this, 'send', checkSize(size)); }

  getSendQueueSize() { return native.queueSize(this[kState].handle); }

  getSendQueueCount() { return native.queueCount(this[kState].handle); }

  ref() {
    if (this[kState].handle) native.ref(this[kState].handle);
    return this;
  }

  unref() {
    if (this[kState].handle) native.unref(this[kState].handle);
    return this;
  }
}

function change(socket, name, syscall, ...args) {
  const status = native[name](check(socket), ...args);
  if (status) throw systemError(status, syscall);
}

function checkSize(size) {
  if (size !== size >>> 0 || size === 0) {
    throw withCode(TypeError, 'ERR_SOCKET_BAD_BUFFER_SIZE',
      'Buffer size must be a positive integer');
  }
  return size;
}

function bufferSize(socket, kind, size) {
  const result = size > 0x7fffffff ? EINVAL
    : native[`${kind}BufferSize`](check(socket), size);
  if (result >= 0) return result;
  const { errorName, errorText } = binding('process');
  const { SystemError } = require('internal/errors/system_error');
  throw new SystemError({ errno: result, code: errorName(result), message: errorText(result),
    syscall: `uv_${kind}_buffer_size` }, 'ERR_SOCKET_BUFFER_SIZE',
  'Could not get or set buffer size');
}

function bindTo(socket, ip, port) {
  const state = socket[kState];
  const { reuseAddr, ipv6Only } = state.options;
  const status = native.bind(state.handle, ip, port || 0, (reuseAddr ? 4 : 0) | (ipv6Only ? 1 : 0));
  if (status) {
    state.bind = UNBOUND;
    socket.emit('error', systemError(status, 'bind', ip, port));
    return;
  }
  begin(socket);
}

// In a worker of a cluster the primary binds.
function bindThrough(socket, ip, port) {
  const state = socket[kState];
  const { reuseAddr, ipv6Only } = state.options;
  const query = { address: ip, port: port || 0, addressType: socket.type,
    flags: (reuseAddr ? 4 : 0) | (ipv6Only ? 1 : 0) };
  require('internal/cluster/sharing').ask(socket, query, (status, handle) => {
    if (!state.handle) {
      handle?.close();
      return;
    }
    if (status) {
      state.bind = UNBOUND;
      socket.emit('error', systemError(status, 'bind', ip, port));
      return;
    }
    replaceHandle(socket, handle);
    begin(socket);
  });
}

// Bound: what comes is taken.
function begin(socket) {
  const state = socket[kState];
  const { recvBufferSize, sendBufferSize } = state.options;
  state.handle.onmessage = (count, bytes, from) => onMessage(socket, count, bytes, from);
  native.start(state.handle);
  state.isReceiving = true;
  state.bind = BOUND;
  if (recvBufferSize) bufferSize(socket, 'recv', recvBufferSize);
  if (sendBufferSize) bufferSize(socket, 'send', sendBufferSize);
  socket.emit('listening');
}

function onMessage(socket, count, bytes, from) {
  if (count < 0) {
    socket.emit('error', systemError(count, 'recvmsg'));
    return;
  }
  socket.emit('message', bytes,
    { address: from[0], family: from[2], port: from[1], size: bytes.length });
}

function connectTo(socket, port, address, callback) {
  const state = socket[kState];
  if (callback) socket.once('connect', callback);
  state.handle.lookup(address, (error, ip) => {
    if (!state.handle) return;
    const status = error ? 0 : native.connect(state.handle, ip, port);
    if (!error && status === 0) {
      state.connect = CONNECTED;
      process.nextTick(() => socket.emit('connect'));
      return;
    }
    state.connect = DISCONNECTED;
    const failure = error || systemError(status, 'connect', ip, port);
    process.nextTick(() => {
      if (!callback) {
        socket.emit('error', failure);
        return;
      }
      socket.removeListener('connect', callback);
      callback(failure);
    });
  });
}

// For tests: every datagram waits for its turn in the loop.
let isLater;
function neverAtOnce() {
  return isLater ??= process.execArgv.length > 0 &&
    require('internal/boot/options').isOn('test-udp-no-try-send') === true;
}

function sendTo(socket, list, port, address, callback) {
  const state = socket[kState];
  const size = list.reduce((sum, one) => sum + one.byteLength, 0);
  const fail = (error) => {
    if (callback) process.nextTick(callback, error);
    else process.nextTick(() => socket.emit('error', error));
  };
  const go = (error, ip) => {
    if (error) {
      fail(error);
      return;
    }
    if (!state.handle) return;
    const done = (status) => {
      if (!callback) return;
      if (status < 0) callback(systemError(status, 'send', ip, port));
      else callback(null, size);
    };
    const status = native.send(state.handle, list, ip, port, done, neverAtOnce());
    if (status < 0) {
      if (callback) process.nextTick(callback, systemError(status, 'send', ip, port));
    } else if (status) {
      process.nextTick(done, status);
    }
  };
  if (state.connect === CONNECTED) go(null, undefined);
  else state.handle.lookup(address, go);
}

// Work that needs a bound socket waits for it; if it can't be bound, nothing of it happens.
function whenBound(socket, work) {
  const state = socket[kState];
  if (state.bind === BOUND) {
    work();
    return;
  }
  if (state.queue === undefined) {
    state.queue = [];
    const flush = () => {
      socket.removeListener(EventEmitter.errorMonitor, drop);
      const all = state.queue;
      state.queue = undefined;
      for (const one of all) one();
    };
    const drop = () => {
      socket.removeListener('listening', flush);
      socket.removeListener(EventEmitter.errorMonitor, drop);
      state.queue = undefined;
    };
    socket.once('listening', flush);
    socket.once(EventEmitter.errorMonitor, drop);
  }
  state.queue.push(work);
}

// Names of long ago.
function deprecated(name, describe) {
  const warn = require('util').deprecate(() => {}, `Socket.prototype.${name} is deprecated`,
    'DEP0112');
  Object.defineProperty(Socket.prototype, name, {
    configurable: true,
    enumerable: false,
    get() {
      warn();
      return describe(this[kState]);
    },
    set() { warn(); },
  });
}
deprecated('_handle', (state) => state.handle);
deprecated('_receiving', (state) => state.isReceiving);
deprecated('_bindState', (state) => state.bind);
deprecated('_queue', (state) => state.queue);
deprecated('_reuseAddr', (state) => state.options.reuseAddr);
const { deprecate } = require('util');
Socket.prototype._healthCheck = deprecate(function healthCheck() { check(this); },
  'Socket.prototype._healthCheck() is deprecated', 'DEP0112');
Socket.prototype._stopReceiving = deprecate(function stopReceiving() {
  native.stop(this[kState].handle);
}, 'Socket.prototype._stopReceiving() is deprecated', 'DEP0112');

function createSocket(type, listener) { return new Socket(type, listener); }

const CallableSocket = new Proxy(Socket,
  { apply: (target, self, args) => new target(...args) });

module.exports = {
  Socket: CallableSocket, createSocket,
  _createSocketHandle: deprecate(createSocketHandle, 'dgram._createSocketHandle() is deprecated',
    'DEP0112'),
};
Object.defineProperty(module.exports, '_handleOf', { value: (socket) => socket[kState].handle });
