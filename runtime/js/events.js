'use strict';
// EventEmitter: its methods are in C (runtime/events). Here is what is told in words, and what
// waits for an event.
const errors = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateNumber } =
  require('internal/errors/validators');

const lists = binding('events');
const kRejection = Symbol.for('nodejs.rejection');
const kErrorMonitor = Symbol('events.errorMonitor');
const kCapture = lists.setup(kErrorMonitor, throwUnhandled, watchPromise, warnOfLeak, refuse);

let defaultMaxListeners = 10;
let capturesAll = false; // EventEmitter.captureRejections

function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}
EventEmitter.init = lists.init;
Object.assign(EventEmitter.prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,
  setMaxListeners: lists.setMaxListeners,
  getMaxListeners: lists.getMaxListeners,
  emit: lists.emit,
  addListener: lists.addListener,
  on: lists.addListener,
  prependListener: lists.prependListener,
  once: lists.once,
  prependOnceListener: lists.prependOnceListener,
  removeListener: lists.removeListener,
  off: lists.removeListener,
  removeAllListeners: lists.removeAllListeners,
  listeners: lists.listeners,
  rawListeners: lists.rawListeners,
  listenerCount: lists.listenerCount,
  eventNames: lists.eventNames,
});
Object.defineProperty(EventEmitter.prototype, kCapture, { value: false, writable: true });

function refuse(name, value) {
  if (name === 'listener') validateFunction(value, name);
  else if (name === 'setMaxListeners') validateNumber(value, name, 0);
  else validateBoolean(value, name);
}

function shown(value) {
  if (typeof value === 'string') return `'${value}'`;
  try {
    return require('internal/inspect/inspect').inspect(value);
  } catch {
    return `${value}`;
  }
}

function throwUnhandled(emitter, error) {
  if (error instanceof Error) {
    const emission = { emitter };
    Error.captureStackTrace(emission, EventEmitter.prototype.emit);
    require('internal/events/emissions').set(error, emission);
    throw error;
  }
  const made = errors.withCode(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${shown(error)})`);
  made.context = error;
  throw made;
}

// A listener has returned an object, and the emitter wants to know of rejections.
function watchPromise(emitter, promise, type, ...args) {
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    then.call(promise, undefined, (error) =>
      process.nextTick(tellRejection, emitter, error, type, args));
  } catch (error) {
    emitter.emit('error', error);
  }
}

function tellRejection(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](error, type, ...args);
    return;
  }
  // What the listeners of 'error' give is not watched: they would be told of it themselves.
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

function warnOfLeak(emitter, type, list) {
  const text = require('internal/inspect/inspect').inspect(emitter, { depth: -1 });
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners added ` +
    `to ${text}. MaxListeners is ${lists.getMaxListeners.call(emitter)}. ` +
    'Use emitter.setMaxListeners() to increase limit');
  warning.name = 'MaxListenersExceededWarning';
  warning.emitter = emitter;
  warning.type = type;
  warning.count = list.length;
  process.emitWarning(warning);
}

function abortReason(signal) {
  return new errors.AbortError(undefined, { cause: signal.reason });
}

function isListenable(target) {
  return typeof target.on === 'function' || typeof target.addEventListener === 'function';
}

async function once(emitter, name, options = {}) {
  const signal = options ? options.signal : undefined;
  return new Promise((resolve, reject) => {
    validateAbortSignal(signal, 'options.signal');
    if (signal && signal.aborted) {
      reject(abortReason(signal));
      return;
    }
    if (!isListenable(emitter)) throw errors.invalidArgType('emitter', 'EventEmitter', emitter);
    const isTarget = typeof emitter.on !== 'function';
    const stop = () => {
      if (isTarget) {
        emitter.removeEventListener(name, onEvent);
      } else {
        // Pools of workers give emitters that can be listened to once and no more.
        emitter.removeListener?.(name, onEvent);
        emitter.removeListener?.('error', onError);
      }
      if (signal) signal.removeEventListener('abort', onAbort);
    };
    const onEvent = (...args) => {
      stop();
      resolve(args);
    };
    const onError = (error) => {
      stop();
      reject(error);
    };
    const onAbort = () => {
      stop();
      reject(abortReason(signal));
    };
    if (isTarget) {
      emitter.addEventListener(name, onEvent, { once: true });
    } else {
      emitter.once(name, onEvent);
      if (name !== 'error') emitter.once('error', onError);
    }
    if (signal) {
      const { kResistsStop } = require('internal/events/target');
      signal.addEventListener('abort', onAbort, { once: true, [kResistsStop]: true });
    }
  });
}

function on(emitter, event, options = {}) {
  return require('internal/events/iterator').on(emitter, event, options);
}

function getEventListeners(target, type) {
  if (typeof target.listeners === 'function') return target.listeners(type);
  if (typeof target.addEventListener !== 'function') {
    throw errors.invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
  }
  const { listenersFor } = require('internal/events/target');
  return listenersFor(target, type);
}

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  enumerable: true,
  get: () => defaultMaxListeners,
  set(value) {
    validateNumber(value, 'defaultMaxListeners', 0);
    defaultMaxListeners = value;
    lists.configure(defaultMaxListeners, capturesAll);
  },
});

module.exports = EventEmitter;
Object.assign(EventEmitter, {
  getMaxListeners(target) {
    if (typeof target?.getMaxListeners === 'function') return target.getMaxListeners();
    const { isEventTarget, kMaxListeners } = require('internal/events/target');
    if (isEventTarget(target)) return target[kMaxListeners] ?? defaultMaxListeners;
    throw errors.invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
  },
  EventEmitter, once, on, getEventListeners, usingDomains: false,
  captureRejectionSymbol: kRejection, errorMonitor: kErrorMonitor,
  listenerCount: (emitter, type) => (typeof emitter.listenerCount === 'function'
    ? emitter.listenerCount(type) : EventEmitter.prototype.listenerCount.call(emitter, type)),
  setMaxListeners(n = defaultMaxListeners, ...targets) {
    validateNumber(n, 'setMaxListeners', 0);
    if (targets.length === 0) EventEmitter.defaultMaxListeners = n;
    const { isEventTarget, kMaxListeners, kWarned } = require('internal/events/target');
    for (const target of targets) {
      if (isEventTarget(target)) {
        target[kMaxListeners] = n;
        target[kWarned] = false;
      } else if (typeof target?.setMaxListeners === 'function') {
        target.setMaxListeners(n);
      } else {
        throw errors.invalidArgType('eventTargets', ['EventEmitter', 'EventTarget'], target);
      }
    }
  },
  addAbortListener(signal, listener) {
    if (signal === undefined) throw errors.invalidArgType('signal', 'AbortSignal', signal);
    validateAbortSignal(signal, 'signal');
    validateFunction(listener, 'listener');
    if (signal.aborted) queueMicrotask(() => listener());
    else {
      const { kResistsStop } = require('internal/events/target');
      signal.addEventListener('abort', listener, { once: true, [kResistsStop]: true });
    }
    return { __proto__: null, [Symbol.dispose]() {
      signal.removeEventListener('abort', listener);
    } };
  },
});
Object.defineProperty(EventEmitter, 'captureRejections', {
  configurable: true,
  enumerable: true,
  get: () => capturesAll,
  set(value) {
    validateBoolean(value, 'EventEmitter.captureRejections');
    capturesAll = value;
    EventEmitter.prototype[kCapture] = value;
    lists.configure(defaultMaxListeners, capturesAll);
  },
});
let AsyncEmitter;
Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
  configurable: true,
  enumerable: true,
  get: () => AsyncEmitter ??= require('internal/async/emitter'),
  set(value) { AsyncEmitter = value; },
});
