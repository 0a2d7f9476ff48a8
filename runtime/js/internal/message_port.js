'use strict';
// Ports: what worker threads and message channels talk through.

const native = binding('worker');
const gate = binding('gate');
const { Event, EventTarget, listenersFor } = require('internal/event_target');
const { missingArgs, validateFunction } = require('internal/validators');
const { clone } = require('internal/clone');
const kinds = require('internal/crypto/kinds');

const open = new Map(); // id -> MessagePort of this thread
const workers = new Map(); // id -> Worker
let holding = 0;

function hold(change) {
  holding += change;
  native.hold(holding > 0);
}

class MessageEvent extends Event {
  constructor(type, { data, ports = [] } = {}) {
    super(type);
    this.data = data;
    this.ports = ports;
  }
}

// An EventTarget with the methods of an emitter, as Node has it.
// Nothing can go twice.
function checkTransfer(list) {
  list.forEach((one, i) => {
    if (list.indexOf(one) === i) return;
    const kind = one instanceof MessagePort ? 'MessagePort' : 'ArrayBuffer';
    const { DOMException } = require('internal/dom_exception');
    throw new DOMException(`Transfer list contains duplicate ${kind}`, 'DataCloneError');
  });
}

class MessagePort extends EventTarget {
  #id;
  #wrapped = []; // { type, listener, wrapper } of on and once
  #referenced = false;
  #started = false;
  #waiting = [];
  #onmessage = null;
  #hasHandler = false;
  #counted = 0;
  #context = gate.getContext();

  constructor(id) {
    if (typeof id !== 'number') {
      throw require('internal/errors').withCode(TypeError, 'ERR_CONSTRUCT_CALL_INVALID',
        'Constructor cannot be called');
    }
    super();
    this.#id = id;
    open.set(id, this);
    native.adopt(id);
  }

  get onmessage() { return this.#onmessage; }

  // Whatever is set first starts the port; what is no function hears nothing.
  set onmessage(value) {
    const before = this.#onmessage;
    this.#onmessage = value ?? null;
    if (!this.#hasHandler) {
      this.#hasHandler = true;
      super.addEventListener('message', (event) => {
        if (typeof this.#onmessage === 'function') this.#onmessage(event);
      });
      this.#listening('message');
      return;
    }
    // Node counts a function that follows something else as one more listener.
    if (typeof before === 'function' && this.listenerCount('message') + --this.#counted === 0)
      this.#stop();
    if (typeof value !== 'function') return;
    this.#counted++;
    this.#listening('message');
  }

  postMessage(value, options) {
    if (arguments.length === 0) throw missingArgs('message');
    const transfer = [...Array.isArray(options) ? options : options?.transfer ?? []];
    checkTransfer(transfer);
    if (this.#id === 0) return;
    native.post(this.#id, pack(value, transfer));
    for (const one of transfer) if (one instanceof ArrayBuffer) binding('util').detach(one);
  }

  start() {
    if (this.#started) return;
    this.#started = true;
    for (const value of this.#waiting.splice(0)) this._deliver(value);
  }

  // Nobody listens any more: what comes waits for the next who does.
  #stop() {
    this.#started = false;
    this.unref();
  }

  ref() {
    if (this.#referenced || this.#id === 0) return this;
    this.#referenced = true;
    hold(1);
    return this;
  }

  unref() {
    if (!this.#referenced) return this;
    this.#referenced = false;
    hold(-1);
    return this;
  }

  hasRef() { return this.#referenced; }

  close(callback) {
    if (this.#id === 0) return;
    if (typeof callback === 'function') this.once('close', callback);
    native.close(this.#id);
    this._gone();
  }

  _gone() {
    if (this.#id === 0) return;
    open.delete(this.#id);
    this.#id = 0;
    this.unref();
    setImmediate(() => this.dispatchEvent(new Event('close')));
  }

  _release() {
    const id = this.#id;
    this.unref();
    open.delete(id);
    this.#id = 0;
    native.release(id);
    return id;
  }

  _receive() {
    if (this.#waiting.length > 0) return [this.#waiting.shift()];
    const got = this.#id === 0 ? undefined : native.receive(this.#id);
    return got === undefined ? undefined : [unpack(got[0])];
  }

  _deliver(value) {
    if (!this.#started) {
      this.#waiting.push(value);
      return;
    }
    gate.setContext(this.#context);
    this.dispatchEvent(new MessageEvent('message', { data: value }));
  }

  #listening(type) {
    if (type !== 'message') return;
    this.ref();
    this.start();
  }

  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    this.#listening(type);
  }

  // A listener of an emitter is one of the target that gets the value instead of the event.
  #wrap(type, listener, isOnce) {
    validateFunction(listener, 'listener');
    const wrapper = (event) => {
      if (isOnce) this.#drop(type, listener);
      listener.call(this, event.data);
    };
    this.#wrapped.push({ type, listener, wrapper });
    super.addEventListener(type, wrapper);
    this.#listening(type);
    return this;
  }

  #drop(type, listener) {
    const at = this.#wrapped.findIndex((one) => one.type === type && one.listener === listener);
    if (at === -1) return;
    this.removeEventListener(type, this.#wrapped[at].wrapper);
    this.#wrapped.splice(at, 1);
    if (type === 'message' && this.listenerCount(type) === 0) this.#stop();
  }

  on(type, listener) { return this.#wrap(type, listener, false); }

  once(type, listener) { return this.#wrap(type, listener, true); }

  off(type, listener) {
    this.#drop(type, listener);
    return this;
  }

  removeAllListeners(type) {
    for (const one of this.#wrapped.filter((other) => type === undefined || other.type === type)) {
      this.#drop(one.type, one.listener);
    }
    return this;
  }

  emit(type, ...args) {
    const all = this.#wrapped.filter((one) => one.type === type);
    for (const { listener } of all) listener.apply(this, args);
    return all.length > 0;
  }

  listenerCount(type) { return listenersFor(this, type).length; }
}
MessagePort.prototype.addListener = MessagePort.prototype.on;
MessagePort.prototype.removeListener = MessagePort.prototype.off;

const MARK = '\u0000phasor';

function needsTransfer() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(
    'Object that needs transfer was found in message but not listed in transferList',
    'DataCloneError'
  );
}

// Values that the engine's own copy does not know travel as marked arrays. Between processes,
// Buffers stay Buffers.
function pack(value, transfer, keepsBuffers = false) {
  const seen = new Map();
  const ports = new Map();
  for (const one of transfer) {
    if (one instanceof MessagePort) ports.set(one, [MARK, 'port', one._release()]);
    if (one instanceof ArrayBuffer) seen.set(one, one);
  }
  const copies = new Map();
  function walk(item) {
    if (item === null || typeof item !== 'object') return item;
    if (ports.has(item)) return ports.get(item);
    if (copies.has(item)) return copies.get(item);
    if (item instanceof MessagePort) throw needsTransfer();
    if (item instanceof Error) {
      const made = [MARK, 'error', item.name, item.message, String(item.stack), {}];
      copies.set(item, made);
      for (const key of Object.keys(item)) made[5][key] = walk(item[key]);
      return made;
    }
    const keep = (made) => {
      copies.set(item, made);
      return made;
    };
    if (item instanceof Map) {
      const made = keep([MARK, 'map', []]);
      for (const [key, one] of item) made[2].push([walk(key), walk(one)]);
      return made;
    }
    if (item instanceof Set) {
      const made = keep([MARK, 'set', []]);
      for (const one of item) made[2].push(walk(one));
      return made;
    }
    if (item instanceof RegExp) return keep([MARK, 'regexp', item.source, item.flags]);
    if (item instanceof Date || ArrayBuffer.isView(item) || item instanceof ArrayBuffer ||
        item instanceof SharedArrayBuffer || binding('util').className(item) !== 'Object') {
      if (!Array.isArray(item)) {
        if (keepsBuffers && Buffer.isBuffer(item)) {
          return keep([MARK, 'buffer', new Uint8Array(item)]);
        }
        if (ArrayBuffer.isView(item)) {
          const Type = globalThis[binding('util').className(item)];
          if (!(item.buffer instanceof SharedArrayBuffer) && Type !== DataView) {
            return keep(new Type(item));
          }
        }
        return keep(item);
      }
    }
    const packed = kinds.pack(item);
    if (packed !== undefined) return keep([MARK, 'kind', ...packed]);
    const made = keep(Array.isArray(item) ? new Array(item.length) : {});
    for (const key of Object.keys(item)) made[key] = walk(item[key]);
    return made;
  }
  if (typeof value === 'function' || typeof value === 'symbol') clone(value, seen);
  const checked = hasUncloneable(value, new Set()) ? clone(value, seen) : value;
  return walk(checked);
}

function detach(buffer) {
  process.nextTick(() => binding('util').detach(buffer));
}

function hasUncloneable(value, seen) {
  if (typeof value === 'function' || typeof value === 'symbol') return true;
  if (value === null || typeof value !== 'object' || seen.has(value)) return false;
  seen.add(value);
  return !ArrayBuffer.isView(value) && Object.keys(value).length < 1e5 &&
    Object.values(value).some((one) => hasUncloneable(one, seen));
}

const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

function unpack(value, seen = new Map()) {
  if (value === null || typeof value !== 'object') return value;
  if (seen.has(value)) return seen.get(value);
  if (Array.isArray(value) && value[0] === MARK) {
    const keep = (made) => {
      seen.set(value, made);
      return made;
    };
    switch (value[1]) {
      case 'port': return keep(new MessagePort(value[2]));
      case 'map': {
        const made = keep(new Map());
        for (const [key, one] of value[2]) made.set(unpack(key, seen), unpack(one, seen));
        return made;
      }
      case 'set': {
        const made = keep(new Set());
        for (const one of value[2]) made.add(unpack(one, seen));
        return made;
      }
      case 'buffer':
        return keep(Buffer.from(value[2].buffer, value[2].byteOffset, value[2].length));
      case 'regexp': return keep(new RegExp(value[2], value[3]));
      case 'kind': return keep(kinds.revive(value[2], value[3]));
      default: {
        const made = keep(new (ERRORS[value[2]] ?? Error)(value[3]));
        made.stack = value[4];
        if (made.name !== value[2]) {
          Object.defineProperty(made, 'name', {
            value: value[2],
            configurable: true,
            writable: true,
          });
        }
        for (const key of Object.keys(value[5])) made[key] = unpack(value[5][key], seen);
        return made;
      }
    }
  }
  seen.set(value, value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof Date)
    return value;
  for (const key of Object.keys(value)) value[key] = unpack(value[key], seen);
  return value;
}

require('internal/builtins').setHook('message', (id, value) => {
  if (id < 0) {
    const worker = workers.get(-id);
    workers.delete(-id);
    hold(-1);
    if (worker) worker._ended(value);
    return;
  }
  const port = open.get(id);
  if (port === undefined) return;
  if (value === undefined) port._gone();
  else port._deliver(unpack(value).v);
});

const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function postMessage(value, options) {
  return post.call(this, { v: value }, options);
};
const receive = MessagePort.prototype._receive;
MessagePort.prototype._receive = function next() {
  const got = receive.call(this);
  return got === undefined ? undefined : { message: got[0]?.v ?? got[0] };
};

module.exports = { MessagePort, MessageEvent, native, workers, hold, pack, unpack };
