'use strict';
// Ports: what worker threads and message channels talk through.

const native = binding('worker');
const gate = binding('gate');
const ids = require('internal/async/ids');
const { Event, EventTarget, CustomEvent, listenersFor, tellDirectly, kDirect } =
  require('internal/events/target');
const { MessageEvent, Told } = require('internal/messages/event');
const { missingArgs, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const transfers = require('internal/messages/transfer');

const { pack, unpack } = transfers;
const open = new Map(); // id -> MessagePort of this thread
const workers = new Map(); // id -> Worker
let holding = 0;
// Kinds of messages: the other side is closed; a value; one that transfer.js has packed; an error.
const [GONE, PLAIN, , UNREADABLE] = [0, 1, 2, 3];

const kDeliver = Symbol('kDeliver');
const kGone = Symbol('kGone');
const kRelease = Symbol('kRelease');
const kReceive = Symbol('kReceive');
const kIsOpen = Symbol('kIsOpen');
const kCancel = Symbol('kCancel');

function hold(change) {
  holding += change;
  native.hold(holding > 0);
}

// An EventTarget with the methods of an emitter, as Node has it. A listener of an emitter is one of
// the target that gets the value instead of the event.
class PortTarget extends EventTarget {
  #wrapped = []; // { type, listener, wrapper } of on and once

  #wrap(type, listener, isOnce) {
    validateFunction(listener, 'listener');
    const tell = (value) => {
      if (isOnce) this.#drop(type, listener);
      listener.call(this, value);
    };
    const wrapper = (event) => tell(event instanceof MessageEvent ? event.data : event.detail);
    this.#wrapped.push({ type, listener, wrapper });
    this.addEventListener(type, wrapper, { [kDirect]: tell });
    return this;
  }

  #drop(type, listener) {
    const at = this.#wrapped.findIndex((one) => one.type === type && one.listener === listener);
    const [found] = at === -1 ? [{ wrapper: listener }] : this.#wrapped.splice(at, 1);
    this.removeEventListener(type, found.wrapper);
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

  emit(type, value) {
    const any = this.listenerCount(type) > 0;
    this.dispatchEvent(type === 'message' || type === 'messageerror' ? new Told(type, value, [])
      : new CustomEvent(type, { detail: value }));
    return any;
  }

  listenerCount(type) { return listenersFor(this, type).length; }

  eventNames() { return [...new Set(this.#wrapped.map((one) => one.type))]; }

  setMaxListeners() { return this; }

  getMaxListeners() { return 10; }
}
PortTarget.prototype.addListener = PortTarget.prototype.on;
PortTarget.prototype.removeListener = PortTarget.prototype.off;

// What a port keeps, where programs do not look.
class State {
  referenced = false;
  started = false;
  waiting = []; // messages that came before anybody listened
  handlers = {}; // of onmessage and onmessageerror
  counted = 0;
  isDelivering = false;
  late = []; // what had come when a listener closed the port
  context = gate.getContext();

  constructor(id) { this.id = id; }
}

class PortBase extends PortTarget {
  #state;

  constructor(id) {
    if (typeof id !== 'number') {
      throw withCode(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
    }
    super();
    this.#state = new State(id);
    open.set(id, this);
    native.adopt(id);
    if (ids.isCounting()) this.#state.work = ids.made('MESSAGEPORT', this);
  }

  static of(port) { return #state in port ? port.#state : undefined; }

  [kIsOpen]() { return this.#state.id !== 0; }

  [kRelease]() {
    const state = this.#state;
    const { id } = state;
    unref(state);
    open.delete(id);
    state.id = 0;
    native.release(id);
    return id;
  }

  [kGone]() {
    const state = this.#state;
    if (state.id === 0) return;
    open.delete(state.id);
    native.close(state.id);
    state.id = 0;
    setImmediate(() => {
      unref(state);
      if (state.work !== undefined) ids.destroyed(state.work);
      this.dispatchEvent(new Event('close'));
    });
  }

  // Closes it; what has come and is not told yet is not told.
  [kCancel]() {
    this[kGone]();
  }

  // The next message, { message, ports }, or undefined.
  [kReceive]() {
    const state = this.#state;
    if (state.waiting.length > 0) return read(...state.waiting.shift());
    const got = state.id === 0 ? undefined : native.receive(state.id);
    return got === undefined ? undefined : read(...got);
  }

  [kDeliver](value, kind) {
    const state = this.#state;
    if (!state.started) {
      state.waiting.push([value, kind]);
      return;
    }
    gate.setContext(state.context);
    state.isDelivering = true;
    try {
      if (state.work !== undefined) ids.run(state.work, tell, undefined, [this, value, kind]);
      else tell(this, value, kind);
    } finally {
      state.isDelivering = false;
    }
    while (state.late.length > 0) tell(this, ...state.late.shift());
  }

  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (type === 'message') listening(this, this.#state);
  }

  removeEventListener(type, listener, options) {
    super.removeEventListener(type, listener, options);
    if (type === 'message' && this.listenerCount(type) === 0) stop(this.#state);
  }
}

function read(value, kind) {
  if (kind === PLAIN) return { message: value, ports: [] };
  if (kind === UNREADABLE) throw value;
  const { v, p } = unpack(value);
  return { message: v, ports: p };
}

function tell(port, value, kind) {
  if (kind === PLAIN && tellDirectly(port, 'message', value)) return;
  let event;
  try {
    const { message, ports } = read(value, kind);
    event = new Told('message', message, ports);
  } catch (error) {
    event = new Told('messageerror', error, []);
  }
  port.dispatchEvent(event);
}

function unref(state) {
  if (!state.referenced) return;
  state.referenced = false;
  hold(-1);
}

// Nobody listens any more: what comes waits for the next who does.
function stop(state) {
  state.started = false;
  unref(state);
}

// What came before the port was closed is told still.
function listening(port, state) {
  if (state.id !== 0) port.ref();
  port.start();
}

const stateOf = (port) => PortBase.of(port);

// A property that holds a listener. Whatever is set first starts the port; what is no function
// hears nothing.
function setHandler(port, type, value) {
  const state = stateOf(port);
  const before = state.handlers[type];
  state.handlers[type] = value ?? null;
  if (before === undefined) {
    port.addEventListener(type, (event) => {
      if (typeof state.handlers[type] === 'function') state.handlers[type].call(port, event);
    });
    return;
  }
  if (type !== 'message') return;
  // Node counts a function that follows something else as one more listener.
  if (typeof before === 'function' && port.listenerCount(type) + --state.counted === 0) {
    stop(state);
  }
  if (typeof value !== 'function') return;
  state.counted++;
  listening(port, state);
}

function post(port, value, options) {
  const state = stateOf(port);
  if (options === undefined) {
    if (state.id === 0 || native.post(state.id, value) !== undefined) return;
  }
  const list = transfers.transferList(options);
  transfers.checkTransfer(list, port);
  if (state.id === 0) return;
  const ports = list.filter((one) => one instanceof MessagePort &&
    !transfers.untransferable.has(one));
  const isLost = ports.some((one) => native.arePeers(stateOf(one).id, state.id));
  const buffers = list.filter((one) => one instanceof ArrayBuffer && !one.detached &&
    !transfers.untransferable.has(one));
  // Memory of one size changes hands; other memory is copied.
  const moved = native.canMove() ? buffers.filter((one) => !one.resizable) : [];
  native.postPacked(state.id, pack({ v: value, p: ports }, list, moved), moved);
  for (const one of buffers) {
    if (!moved.includes(one)) binding('util').detach(one);
  }
  if (!isLost) return;
  process.emitWarning('The target port was posted to itself, and the communication channel was ' +
    'lost');
  port.close();
}

class PortMethods extends PortBase {
  get onmessage() { return stateOf(this).handlers.message ?? null; }

  set onmessage(value) { setHandler(this, 'message', value); }

  get onmessageerror() { return stateOf(this).handlers.messageerror ?? null; }

  set onmessageerror(value) { setHandler(this, 'messageerror', value); }

  postMessage(message, options) {
    if (arguments.length === 0) throw missingArgs('message');
    post(this, message, options);
  }

  start() {
    const state = stateOf(this);
    if (state.started) return;
    state.started = true;
    for (const [value, kind] of state.waiting.splice(0)) this[kDeliver](value, kind);
  }

  ref() {
    const state = stateOf(this);
    if (state.referenced || state.id === 0) return;
    state.referenced = true;
    hold(1);
  }

  unref() { unref(stateOf(this)); }

  hasRef() { return stateOf(this).referenced; }

  close(callback) {
    const state = stateOf(this);
    if (typeof callback === 'function') this.once('close', callback);
    if (state.id === 0) return;
    if (state.isDelivering) {
      for (let got; (got = native.receive(state.id)) !== undefined;) state.late.push(got);
    }
    this[kGone]();
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const state = stateOf(this);
    if (depth < 0) return '[MessagePort [EventTarget]]';
    return `MessagePort [EventTarget] ${inspect({ active: state.id !== 0,
      refed: state.referenced }, options)}`;
  }
}
delete PortMethods.prototype.constructor;

// Node's is no class: it says so when it is called, with or without new.
function MessagePort(id) {
  if (typeof id !== 'number' || new.target === undefined) {
    throw withCode(TypeError, 'ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
  }
  return Reflect.construct(PortMethods, [id], new.target);
}
const { [Symbol.for('nodejs.util.inspect.custom')]: shown, ...methods } =
  Object.getOwnPropertyDescriptors(PortMethods.prototype);
MessagePort.prototype = Object.create(PortBase.prototype, {
  ...methods,
  [Symbol.for('nodejs.util.inspect.custom')]: shown,
  constructor: { value: MessagePort, writable: true, configurable: true },
});
Object.setPrototypeOf(MessagePort, PortTarget);
Object.defineProperties(MessagePort, { kRelease: { value: kRelease }, kIsOpen: { value: kIsOpen },
  prototype: { writable: false } });
transfers.setPort(MessagePort);

function MessageChannel() {
  if (new.target === undefined) {
    throw withCode(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED',
      'Cannot call constructor without `new`');
  }
  const [a, b] = native.pair();
  this.port1 = new MessagePort(a);
  this.port2 = new MessagePort(b);
}

require('internal/builtins').setHook('message', (id, value, kind) => {
  if (id < 0) {
    const worker = workers.get(-id);
    workers.delete(-id);
    if (worker) worker._ended(value);
    return;
  }
  const port = open.get(id);
  if (port === undefined) return;
  if (kind === GONE) port[kGone]();
  else port[kDeliver](value, kind);
});

module.exports = { MessagePort, MessageChannel, MessageEvent, PortTarget, native, workers, hold,
  pack, unpack, kReceive, kRelease, kIsOpen, kCancel };
