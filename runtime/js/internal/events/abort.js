'use strict';
const { Event, EventTarget, defineHandler, expose, invalidThis, kAdded, kRemoved, trusted } =
  require('internal/events/target');
const { DOMException } = require('internal/errors/dom_exception');
const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateArray, validateUint32, validateInteger } = require('internal/errors/validators');

const kState = Symbol('kState');
let allowed = false;

function stateOf(signal) {
  const state = signal?.[kState];
  if (state === undefined) throw invalidThis('AbortSignal');
  return state;
}

let forgotten; // timers of signals that are gone
const listened = new Set(); // signals that a timer will abort, with somebody to tell

function onTimeout(ref) {
  const signal = ref.deref();
  if (signal === undefined) return;
  fire(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  listened.delete(signal);
}

const aborted = () => new DOMException('This operation was aborted', 'AbortError');

class AbortSignal extends EventTarget {
  constructor() {
    if (!allowed) throw withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    super();
    Object.defineProperty(this, kState,
      { value: { isAborted: false, reason: undefined, dependents: [] }, configurable: true,
        writable: true });
  }

  get aborted() { return stateOf(this).isAborted; }

  get reason() { return stateOf(this).reason; }

  // A signal that nobody has is kept for its listeners only.
  [kAdded](count, type, listener, once, capture, passive, isWeak) {
    if (this[kState].isTimed && type === 'abort' && !isWeak) listened.add(this);
  }

  [kRemoved](count, type) {
    if (type === 'abort' && count === 0) listened.delete(this);
  }

  throwIfAborted() { if (stateOf(this).isAborted) throw this[kState].reason; }

  static abort(reason = aborted()) {
    const signal = make();
    fire(signal, reason);
    return signal;
  }

  static timeout(delay) {
    validateInteger(delay, 'delay', 0, Number.MAX_SAFE_INTEGER);
    if (delay > 4294967295) validateUint32(delay, 'delay');
    const signal = make();
    signal[kState].isTimed = true;
    const ref = new WeakRef(signal);
    const timer = setTimeout(onTimeout, delay, ref);
    timer.unref();
    forgotten ??= new FinalizationRegistry((one) => clearTimeout(one));
    forgotten.register(signal, timer);
    return signal;
  }

  static any(signals) {
    validateArray(signals, 'signals');
    signals.forEach((one, i) => {
      if (one?.[kState] === undefined) {
        throw invalidArgType(`signals[${i}]`, 'AbortSignal', one);
      }
    });
    const signal = make();
    for (const one of signals) {
      if (!one.aborted) continue;
      Object.assign(signal[kState], { isAborted: true, reason: one.reason });
      return signal;
    }
    // Of signals that follow others, those others count: all are told in the order of their making.
    const roots = new Set(signals.flatMap((one) => one[kState].roots ?? one));
    signal[kState].roots = [...roots];
    for (const one of roots) one[kState].dependents.push(signal);
    // Those that a timer aborts live as long as those that follow them.
    const timed = signals.filter((one) => one[kState].isTimed);
    if (timed.length > 0) Object.assign(signal[kState], { isTimed: true, sources: timed });
    return signal;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return '[AbortSignal]';
    return `AbortSignal ${inspect({ aborted: this.aborted }, { ...options,
      depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth })}`;
  }
}
expose(AbortSignal, 'AbortSignal');
defineHandler(AbortSignal, 'abort');

function make() {
  allowed = true;
  try {
    return new AbortSignal();
  } finally {
    allowed = false;
  }
}

// Signals that follow this one are aborted before anyone is told.
function fire(signal, reason) {
  const state = signal[kState];
  if (state.isAborted) return;
  state.isAborted = true;
  state.reason = reason;
  const followers = new Set(state.dependents.splice(0).filter((one) => !one[kState].isAborted));
  for (const one of followers) Object.assign(one[kState], { isAborted: true, reason });
  signal.dispatchEvent(trusted(new Event('abort')));
  for (const one of followers) one.dispatchEvent(trusted(new Event('abort')));
}

const kSignal = Symbol('signal');

class AbortController {
  constructor() {
    Object.defineProperty(this, kSignal,
      { value: make(), configurable: true, writable: true });
  }

  get signal() {
    const signal = this?.[kSignal];
    if (signal === undefined) throw invalidThis('AbortController');
    return signal;
  }

  abort(reason = aborted()) { fire(this.signal, reason); }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    if (depth < 0) return '[AbortController]';
    return `AbortController ${inspect({ signal: this.signal }, { ...options,
      depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth })}`;
  }
}
expose(AbortController, 'AbortController');

// A signal that may travel to other threads: what it becomes there follows it.
function transferableAbortSignal(signal) {
  if (signal?.[kState] === undefined) throw invalidArgType('signal', 'AbortSignal', signal);
  const { kTransfer, kTransferList } = require('internal/messages/transfer_symbols');
  let port; // for what follows it, while it is under way
  const list = () => {
    if (signal.aborted) return [];
    const { port1, port2 } = new MessageChannel();
    signal.addEventListener('abort', () => {
      port1.postMessage(signal.reason);
      port1.close();
    }, { once: true });
    port1.unref();
    port = port2;
    return [port2];
  };
  const transfer = () => ({
    data: signal.aborted ? { aborted: true, reason: signal.reason } : { aborted: false, port },
    deserializeInfo: 'internal/abort_controller:ClonedAbortSignal',
  });
  Object.defineProperties(signal, { [kTransfer]: { value: transfer, configurable: true },
    [kTransferList]: { value: list, configurable: true } });
  return signal;
}

function transferableAbortController() {
  const controller = new AbortController();
  transferableAbortSignal(controller.signal);
  return controller;
}

function revive({ aborted: isAborted, reason, port }) {
  if (isAborted) return AbortSignal.abort(reason);
  const signal = make();
  port.onmessage = ({ data }) => fire(signal, data);
  port.unref();
  return signal;
}

module.exports = { AbortController, AbortSignal, transferableAbortSignal,
  transferableAbortController, revive };
