'use strict';
const EventEmitter = require('events');
const native = binding('udp');
const { invalidArgType, systemError, validatePort, withCode } =
  require('internal/errors');

const EMPTY = { udp4: '0.0.0.0', udp6: '::' };

class Socket extends EventEmitter {
  constructor(options, listener) {
    super();
    const given = typeof options === 'string' ? { type: options } : { ...options };
    if (!(given.type in EMPTY)) {
      throw withCode(
        TypeError,
        'ERR_SOCKET_BAD_TYPE',
        'Bad socket type specified. Valid types are: udp4, udp6'
      );
    }
    this.type = given.type;
    this._options = given;
    this._handle = native.newUdp();
    this._bound = 'no';
    this._connected = false;
    this._waiting = [];
    if (typeof listener === 'function') this.on('message', listener);
    if (given.signal) {
      const stop = () => this.close();
      if (given.signal.aborted) stop();
      else given.signal.addEventListener('abort', stop, { once: true });
    }
  }

  #check() {
    if (!this._handle) {
      throw withCode(Error, 'ERR_SOCKET_DGRAM_NOT_RUNNING', 'Not running');
    }
  }

  #resolve(address, done) {
    if (!address) {
      done(null, this.type === 'udp4' ? '127.0.0.1' : '::1');
      return;
    }
    const lookup = this._options.lookup || require('dns').lookup;
    lookup(address, this.type === 'udp4' ? 4 : 6, done);
  }

  bind(port, address, callback) {
    this.#check();
    if (this._bound !== 'no') {
      throw withCode(Error, 'ERR_SOCKET_ALREADY_BOUND', 'Socket is already bound');
    }
    if (typeof port === 'function') {
      callback = port;
      port = 0;
      address = undefined;
    } else if (port !== null && typeof port === 'object') {
      callback = address;
      ({ address, port } = port);
    } else if (typeof address === 'function') {
      callback = address;
      address = undefined;
    }
    if (typeof callback === 'function') this.once('listening', callback);
    this._bound = 'binding';
    const place = address || EMPTY[this.type];
    this.#resolve(place, (error, ip) => {
      if (!this._handle) return;
      const flags = (this._options.reuseAddr ? native.REUSEADDR : 0) |
        (this._options.ipv6Only ? native.IPV6ONLY : 0);
      const status = error ? 0 : native.bind(this._handle, ip, port || 0, flags);
      if (error || status) {
        this._bound = 'no';
        this.emit('error', error || systemError(status, 'bind', ip, port));
        return;
      }
      this._handle.onmessage = (count, bytes, from) => this.#onMessage(count, bytes, from);
      native.start(this._handle);
      this._bound = 'yes';
      this.emit('listening');
      for (const send of this._waiting.splice(0)) send();
    });
    return this;
  }

  #onMessage(count, bytes, from) {
    if (count < 0) {
      this.emit('error', systemError(count, 'recvmsg'));
      return;
    }
    this.emit('message', bytes,
      { address: from[0], family: from[2], port: from[1], size: bytes.length });
  }

  connect(port, address, callback) {
    validatePort(port, 'Port', false);
    if (typeof address === 'function') {
      callback = address;
      address = undefined;
    }
    if (typeof callback === 'function') this.once('connect', callback);
    this.#whenBound(() => this.#resolve(address, (error, ip) => {
      const status = error ? 0 : native.connect(this._handle, ip, port);
      if (error || status) this.emit('error', error || systemError(status, 'connect', ip, port));
      else {
        this._connected = true;
        this.emit('connect');
      }
    }));
  }

  disconnect() {
    native.disconnect(this._handle);
    this._connected = false;
  }

  #whenBound(work) {
    if (this._bound === 'yes') {
      work();
      return;
    }
    if (this._bound === 'no') this.bind(0, null);
    this._waiting.push(work);
  }

  send(data, ...args) {
    this.#check();
    const callback = typeof args[args.length - 1] === 'function' ? args.pop() : undefined;
    const toBytes = (one) => {
      if (typeof one === 'string') return Buffer.from(one);
      if (!ArrayBuffer.isView(one)) {
        throw invalidArgType('buffer', ['Buffer', 'TypedArray', 'DataView', 'string'], one);
      }
      return one;
    };
    let list = Array.isArray(data) ? data.map(toBytes) : [toBytes(data)];
    // send(data, offset, length, port, address) or send(data, port, address)
    if (!this._connected ? args.length >= 3 || (args.length === 2 && typeof args[1] === 'number')
      : args.length >= 2) {
      const [offset, length] = args.splice(0, 2);
      list = [list[0].subarray(offset, offset + length)];
    }
    let [port, address] = args;
    if (!this._connected) port = validatePort(port, 'Port', false);
    else port = address = undefined;
    const size = list.reduce((sum, one) => sum + one.byteLength, 0);
    this.#whenBound(() => {
      const go = (error, ip) => {
        if (error) {
          if (callback) process.nextTick(callback, error);
          else process.nextTick(() => this.emit('error', error));
          return;
        }
        if (!this._handle) return;
        const done = (status) => {
          const failure = status < 0 ? systemError(status, 'send', ip, port) : null;
          if (callback) callback(failure, failure ? undefined : size);
          else if (failure) this.emit('error', failure);
        };
        const status = native.send(this._handle, list, ip, port, done);
        if (status) process.nextTick(done, status);
      };
      if (this._connected) go(null, undefined);
      else this.#resolve(address, go);
    });
  }

  close(callback) {
    this.#check();
    if (typeof callback === 'function') this.on('close', callback);
    const handle = this._handle;
    this._handle = null;
    native.close(handle, undefined);
    process.nextTick(() => this.emit('close'));
    return this;
  }

  address() {
    this.#check();
    const got = native.sockname(this._handle);
    if (!Array.isArray(got)) throw systemError(got, 'getsockname');
    return { address: got[0], family: got[2], port: got[1] };
  }

  remoteAddress() {
    const got = native.peername(this._handle);
    if (!Array.isArray(got))
      throw withCode(Error, 'ERR_SOCKET_DGRAM_NOT_CONNECTED', 'Not connected');
    return { address: got[0], family: got[2], port: got[1] };
  }

  #set(name, ...args) {
    this.#check();
    const status = native[name](this._handle, ...args);
    if (status) throw systemError(status, name);
  }

  setBroadcast(flag) { this.#set('setBroadcast', Boolean(flag)); }

  setTTL(ttl) { this.#set('setTTL', ttl); return ttl; }

  setMulticastTTL(ttl) { this.#set('setMulticastTTL', ttl); return ttl; }

  setMulticastLoopback(flag) { this.#set('setMulticastLoopback', Boolean(flag)); return flag; }

  #bufferSize(name, size) {
    this.#check();
    const result = native[name](this._handle, size);
    if (result < 0) throw systemError(result, `uv_${name}`);
    return result;
  }

  getRecvBufferSize() { return this.#bufferSize('recvBufferSize', 0); }

  getSendBufferSize() { return this.#bufferSize('sendBufferSize', 0); }

  setRecvBufferSize(size) { this.#bufferSize('recvBufferSize', size); }

  setSendBufferSize(size) { this.#bufferSize('sendBufferSize', size); }

  addMembership(group, place) { this.#set('join', group, place); }

  dropMembership(group, place) { this.#set('leave', group, place); }

  ref() { if (this._handle) native.ref(this._handle); return this; }

  unref() { if (this._handle) native.unref(this._handle); return this; }
}

module.exports = { Socket, createSocket: (options, listener) => new Socket(options, listener) };
