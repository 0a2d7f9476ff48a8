'use strict';
const errors = require('internal/errors');

const kCapture = Symbol('kCapture');
const kRejection = Symbol.for('nodejs.rejection');
const kErrorMonitor = Symbol('events.errorMonitor');

let defaultMaxListeners = 10;
let capturesAll = false; // EventEmitter.captureRejections

function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;

EventEmitter.init = function init(options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
  }
  this._maxListeners ??= undefined;
  if (options && options.captureRejections) {
    errors.validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = true;
  }
};

function checkListener(listener) {
  errors.validateFunction(listener, 'listener');
}

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  errors.validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

function maxListeners(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return maxListeners(this);
};

function shown(value) {
  if (typeof value === 'string') return `'${value}'`;
  try {
    return require('internal/inspect').inspect(value);
  } catch {
    return `${value}`;
  }
}

// Before 'error' goes to its listeners: nobody listens, nobody handles it.
function beforeError(emitter, error, ...more) {
  const events = emitter._events;
  if (events !== undefined && events[kErrorMonitor] !== undefined) {
    emitter.emit(kErrorMonitor, error, ...more);
  }
  if (events !== undefined && events.error !== undefined) return;
  if (error instanceof Error) throw error;
  const made = errors.withCode(Error, 'ERR_UNHANDLED_ERROR', `Unhandled error. (${shown(error)})`);
  made.context = error;
  throw made;
}

// A listener has returned an object.
function capture(emitter, promise, type, ...args) {
  if (!emitter[kCapture] && !capturesAll) return;
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
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

EventEmitter.prototype.emit = binding('emitter').makeEmit(beforeError, capture);

function warnOfLeak(target, type, existing) {
  existing.warned = true;
  const limit = maxListeners(target);
  const warning = new Error(
    'Possible EventEmitter memory leak detected. ' +
    `${existing.length} ${String(type)} listeners added to ${
      require('internal/inspect').inspect(target, { depth: -1 })}. ` +
    `MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`);
  warning.name = 'MaxListenersExceededWarning';
  warning.emitter = target;
  warning.type = type;
  warning.count = existing.length;
  process.emitWarning(warning);
}

function add(target, type, listener, prepend) {
  checkListener(listener);
  let events = target._events;
  if (events === undefined) {
    events = target._events = { __proto__: null };
    target._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    target.emit('newListener', type, listener.listener ?? listener);
    events = target._events;
  }
  const existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    ++target._eventsCount;
  } else if (typeof existing === 'function') {
    events[type] = prepend ? [listener, existing] : [existing, listener];
  } else if (prepend) {
    existing.unshift(listener);
  } else {
    existing.push(listener);
  }
  const list = events[type];
  const most = maxListeners(target);
  if (typeof list !== 'function' && most > 0 && list.length > most && !list.warned) {
    warnOfLeak(target, type, list);
  }
  return target;
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return add(this, type, listener, false);
};
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return add(this, type, listener, true);
};

function onceWrapper(target, type, listener) {
  let fired = false;
  function wrapped(...args) {
    if (fired) return undefined;
    target.removeListener(type, wrapped);
    fired = true;
    return listener.apply(target, args);
  }
  wrapped.listener = listener;
  return wrapped;
}

EventEmitter.prototype.once = function once(type, listener) {
  checkListener(listener);
  return this.on(type, onceWrapper(this, type, listener));
};
EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  checkListener(listener);
  return this.prependListener(type, onceWrapper(this, type, listener));
};

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  checkListener(listener);
  const events = this._events;
  if (events === undefined) return this;
  const list = events[type];
  if (list === undefined) return this;
  if (list === listener || list.listener === listener) {
    this._eventsCount -= 1;
    if (this._eventsCount === 0) this._events = { __proto__: null };
    else delete events[type];
    if (events.removeListener) this.emit('removeListener', type, list.listener || listener);
  } else if (typeof list !== 'function') {
    let position = -1;
    for (let i = list.length - 1; i >= 0; i--) {
      if (list[i] === listener || list[i].listener === listener) {
        position = i;
        break;
      }
    }
    if (position < 0) return this;
    list.splice(position, 1);
    if (list.length === 1) events[type] = list[0];
    if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  }
  return this;
};
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      this._events = { __proto__: null };
      this._eventsCount = 0;
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = { __proto__: null };
      else delete events[type];
    }
    return this;
  }
  if (arguments.length === 0) {
    for (const key of Reflect.ownKeys(events)) {
      if (key !== 'removeListener') this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    this._events = { __proto__: null };
    this._eventsCount = 0;
    return this;
  }
  const list = events[type];
  if (typeof list === 'function') this.removeListener(type, list);
  else if (list !== undefined) {
    for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
  }
  return this;
};

function listenersOf(target, type, unwrap) {
  const list = target._events === undefined ? undefined : target._events[type];
  if (list === undefined) return [];
  const all = typeof list === 'function' ? [list] : list.slice();
  return unwrap ? all.map((one) => one.listener || one) : all;
}

EventEmitter.prototype.listeners = function listeners(type) {
  return listenersOf(this, type, true);
};
EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type, false);
};
EventEmitter.prototype.listenerCount = function listenerCount(type, listener) {
  const found = this._events === undefined ? undefined : this._events[type];
  if (found === undefined) return 0;
  if (listener == null) return typeof found === 'function' ? 1 : found.length;
  const isIt = (one) => one === listener || one.listener === listener;
  return listenersOf(this, type, false).filter(isIt).length;
};
EventEmitter.prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
};

function abortReason(signal) {
  return new errors.AbortError(undefined, { cause: signal.reason });
}

function isListenable(target) {
  return typeof target.on === 'function' || typeof target.addEventListener === 'function';
}

async function once(emitter, name, options = {}) {
  const signal = options ? options.signal : undefined;
  return new Promise((resolve, reject) => {
    errors.validateAbortSignal(signal, 'options.signal');
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
        emitter.removeListener(name, onEvent);
        emitter.removeListener('error', onError);
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
      const { kResistsStop } = require('internal/event_target');
      signal.addEventListener('abort', onAbort, { once: true, [kResistsStop]: true });
    }
  });
}

function on(emitter, event, options = {}) {
  return require('internal/event_iterator').on(emitter, event, options);
}

function getEventListeners(target, type) {
  if (typeof target.listeners === 'function') return target.listeners(type);
  if (typeof target.addEventListener !== 'function') {
    throw errors.invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
  }
  const { listenersFor } = require('internal/event_target');
  return listenersFor(target, type);
}

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  enumerable: true,
  get: () => defaultMaxListeners,
  set(value) {
    errors.validateNumber(value, 'defaultMaxListeners', 0);
    defaultMaxListeners = value;
  },
});

module.exports = EventEmitter;
Object.assign(EventEmitter, {
  getMaxListeners(target) {
    if (typeof target?.getMaxListeners === 'function') return target.getMaxListeners();
    const { isEventTarget, kMaxListeners } = require('internal/event_target');
    if (isEventTarget(target)) return target[kMaxListeners] ?? defaultMaxListeners;
    throw errors.invalidArgType('emitter', ['EventEmitter', 'EventTarget'], target);
  },
  EventEmitter, once, on, getEventListeners, usingDomains: false,
  captureRejectionSymbol: kRejection, errorMonitor: kErrorMonitor,
  listenerCount: (emitter, type) => (typeof emitter.listenerCount === 'function'
    ? emitter.listenerCount(type) : EventEmitter.prototype.listenerCount.call(emitter, type)),
  setMaxListeners(n = defaultMaxListeners, ...targets) {
    errors.validateNumber(n, 'setMaxListeners', 0);
    if (targets.length === 0) defaultMaxListeners = n;
    const { isEventTarget, kMaxListeners, kWarned } = require('internal/event_target');
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
    errors.validateAbortSignal(signal, 'signal');
    errors.validateFunction(listener, 'listener');
    if (signal.aborted) queueMicrotask(() => listener());
    else {
      const { kResistsStop } = require('internal/event_target');
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
    errors.validateBoolean(value, 'EventEmitter.captureRejections');
    capturesAll = value;
  },
});
let AsyncEmitter;
Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
  configurable: true,
  enumerable: true,
  get: () => AsyncEmitter ??= require('internal/async_emitter'),
  set(value) { AsyncEmitter = value; },
});
