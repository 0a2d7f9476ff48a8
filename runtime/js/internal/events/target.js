'use strict';
// Event, CustomEvent and EventTarget. What they keep is behind symbols, not private fields: a Proxy
// around one of them works.

const { invalidArgType, missingArgs, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateString } = require('internal/errors/validators');

const kEvent = Symbol('kEvent');
const kListeners = Symbol('kListeners');
const kHandlers = Symbol('kHandlers');

function invalidThis(name) {
  return withCode(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${name}`,
    invalidThis);
}

function stateOf(event) {
  const state = event?.[kEvent];
  if (state === undefined) throw invalidThis('Event');
  return state;
}

class Event {
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw missingArgs('type');
    if (options !== undefined) {
      if (options !== null && typeof options !== 'object' && typeof options !== 'function') {
        throw invalidArgType('options', 'object', options);
      }
    }
    Object.defineProperty(this, kEvent, { configurable: true, writable: true, value: {
      type: `${type}`, bubbles: Boolean(options?.bubbles), composed: Boolean(options?.composed),
      cancelable: Boolean(options?.cancelable), time: performance.now(), target: null,
      isDispatched: false, isStopped: false, isPropagationStopped: false, isPrevented: false,
      isTrusted: false,
    } });
  }

  initEvent(type, bubbles = false, cancelable = false) {
    const state = stateOf(this);
    if (arguments.length === 0) throw missingArgs('type');
    if (state.isDispatched) return;
    state.type = `${type}`;
    state.bubbles = Boolean(bubbles);
    state.cancelable = Boolean(cancelable);
  }

  stopImmediatePropagation() {
    const state = stateOf(this);
    state.isPropagationStopped = true;
    state.isStopped = true;
  }

  preventDefault() { stateOf(this).isPrevented = true; }

  get target() { return stateOf(this).target; }

  get currentTarget() { return stateOf(this).isDispatched ? this[kEvent].target : null; }

  get srcElement() { return stateOf(this).target; }

  get type() { return stateOf(this).type; }

  get cancelable() { return stateOf(this).cancelable; }

  get defaultPrevented() { return stateOf(this).cancelable && this[kEvent].isPrevented; }

  get timeStamp() { return stateOf(this).time; }

  composedPath() { return stateOf(this).isDispatched ? [this[kEvent].target] : []; }

  get returnValue() { return !stateOf(this).cancelable || !this[kEvent].isPrevented; }

  get bubbles() { return stateOf(this).bubbles; }

  get composed() { return stateOf(this).composed; }

  get eventPhase() { return stateOf(this).isDispatched ? Event.AT_TARGET : Event.NONE; }

  get cancelBubble() { return stateOf(this).isPropagationStopped; }

  set cancelBubble(value) { if (value) stateOf(this).isPropagationStopped = true; }

  stopPropagation() { stateOf(this).isPropagationStopped = true; }

  get isTrusted() { return stateOf(this).isTrusted; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    const { name } = this.constructor;
    if (depth < 0) return name;
    return `${name} ${inspect({
      type: this[kEvent].type, defaultPrevented: this.defaultPrevented,
      cancelable: this[kEvent].cancelable, timeStamp: this[kEvent].time,
    }, deeper(options))}`;
  }
}

function deeper(options) {
  return { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth };
}

// Members of web classes are enumerable, and their classes have a tag.
function expose(Class, name, members = Object.getOwnPropertyNames(Class.prototype)) {
  for (const member of members) {
    if (member !== 'constructor') {
      Object.defineProperty(Class.prototype, member, { enumerable: true });
    }
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
}
expose(Event, 'Event');
for (const [name, value] of Object.entries({
  NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3,
})) {
  Object.defineProperty(Event, name, { value, enumerable: true });
}

const kDetail = Symbol('kDetail');

class CustomEvent extends Event {
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw missingArgs('type');
    super(type, options);
    Object.defineProperty(this, kDetail,
      { value: options?.detail ?? null, configurable: true, writable: true });
  }

  get detail() {
    if (this?.[kDetail] === undefined) throw invalidThis('CustomEvent');
    return this[kDetail];
  }
}
expose(CustomEvent, 'CustomEvent');

function listsOf(target) {
  const lists = target?.[kListeners];
  if (lists === undefined) throw invalidThis('EventTarget');
  return lists;
}

function checkOptions(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null || options === undefined) return {};
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw invalidArgType('options', 'object', options);
  }
  return options;
}

function hasListener(target, type, listener) {
  if (typeof listener === 'function' || (typeof listener === 'object' && listener !== null)) {
    return true;
  }
  if (listener === null || listener === undefined) {
    const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
    Object.assign(warning, { name: 'AddEventListenerArgumentTypeWarning', target, type });
    process.emitWarning(warning);
    return false;
  }
  throw invalidArgType('listener', 'EventListener', listener);
}

class EventTarget {
  constructor() { initialize(this); }

  addEventListener(type, listener, options = undefined) {
    const lists = listsOf(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    options = checkOptions(options);
    const { once = false, capture = false, passive = false, signal } = options;
    if (!hasListener(this, type, listener)) return;
    validateAbortSignal(signal, 'options.signal');
    type = `${type}`;
    if (signal) {
      if (signal.aborted) return;
      const remove = () => this.removeEventListener(type, listener, options);
      signal.addEventListener('abort', remove, { once: true, [kResistsStop]: true });
    }
    const list = (lists.get(type) ?? []).filter(isAlive);
    const isCapture = Boolean(capture);
    if (list.some((one) => one.listener === listener && one.capture === isCapture)) return;
    const added = { listener, once: Boolean(once), capture: isCapture, passive: Boolean(passive),
      resists: options[kResistsStop] === true, removed: false,
      isNodeStyle: options[kNodeStyle] === true, direct: options[kDirect] };
    if (options[kWeak]) weaken(added, options[kWeak]);
    lists.set(type, [...list, added]);
    warnOfLeak(this, type, list.length + 1);
    this[kAdded]?.(list.length + 1, type, listener, added.once, isCapture, added.passive,
      Boolean(options[kWeak]));
  }

  removeEventListener(type, listener, options = undefined) {
    const lists = listsOf(this);
    if (arguments.length < 2) throw missingArgs('type', 'listener');
    if (listener === null || listener === undefined) return;
    const { capture } = typeof options === 'boolean' ? { capture: options } : options ?? {};
    type = `${type}`;
    const list = lists.get(type);
    if (list === undefined) return;
    const kept = list.filter((one) =>
      one.listener !== listener || one.capture !== Boolean(capture));
    if (kept.length === list.length) return;
    for (const one of list) if (!kept.includes(one)) one.removed = true;
    if (kept.length === 0) lists.delete(type);
    else lists.set(type, kept);
    this[kRemoved]?.(kept.length, type, listener, Boolean(capture));
  }

  dispatchEvent(event) {
    listsOf(this);
    if (arguments.length < 1) throw missingArgs('event');
    if (event?.[kEvent] === undefined) throw invalidArgType('event', 'Event', event);
    if (event[kEvent].isDispatched) {
      throw withCode(Error, 'ERR_EVENT_RECURSION',
        `The event "${event.type}" is already being dispatched`);
    }
    dispatch(this, event);
    return event.defaultPrevented !== true;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    listsOf(this);
    const { name } = this.constructor;
    if (depth < 0) return name;
    return `${name} ${inspect({}, deeper(options))}`;
  }
}
expose(EventTarget, 'EventTarget');

// Listeners as those of an EventEmitter: emit() gives them what it was given, not an event.
const kNodeStyle = Symbol('kIsNodeStyleListener');

// See tellDirectly.
const kDirect = Symbol('kDirect');

// Listeners that are told even if another one has stopped the event.
const kResistsStop = Symbol('kResistsStop');

// Listeners that live as long as the object behind this name, which is not kept either.
const kWeak = Symbol('kWeak');
const kept = new WeakMap();

function weaken(entry, owner) {
  const { listener } = entry;
  const ref = new WeakRef(listener);
  if (!kept.has(owner)) kept.set(owner, []);
  kept.get(owner).push(listener);
  Object.defineProperty(entry, 'listener', { get: () => ref.deref() });
}

function isAlive(entry) {
  return entry.listener !== undefined;
}

// What classes built on this one may do when listeners come and go.
const kAdded = Symbol('kAdded');
const kRemoved = Symbol('kRemoved');
const kMaxListeners = Symbol('events.maxEventTargetListeners');
const kWarned = Symbol('events.maxEventTargetListenersWarned');

function initialize(target) {
  Object.defineProperty(target, kListeners,
    { value: new Map(), configurable: true, writable: true });
}

function warnOfLeak(target, type, count) {
  const limit = target[kMaxListeners] ?? require('events').defaultMaxListeners;
  if (limit <= 0 || count <= limit || target[kWarned]) return;
  target[kWarned] = true;
  const { inspect } = require('internal/inspect/inspect');
  const warning = new Error('Possible EventTarget memory leak detected. ' +
    `${count} ${type} listeners added to ${inspect(target, { depth: -1 })}. ` +
    `MaxListeners is ${limit}. Use events.setMaxListeners() to increase limit`);
  Object.assign(warning, { name: 'MaxListenersExceededWarning', target, type, count });
  process.emitWarning(warning);
}

// Not what a program may have put in its place.
const { removeEventListener: remove, dispatchEvent } = EventTarget.prototype;

function dispatch(target, event) {
  const state = event[kEvent];
  state.target = target;
  state.isDispatched = true;
  for (const one of target[kListeners].get(state.type) ?? []) {
    if (one.removed || !isAlive(one)) continue;
    if (state.isStopped && !one.resists) continue;
    if (one.once) remove.call(target, state.type, one.listener, one.capture);
    call(one.listener, target, event);
  }
  state.isDispatched = false;
}

// Tells listeners a value without an event around it; false if one of them wants the event. Those
// that do not were added with a function behind kDirect. It runs for every message: no iterators,
// no closures.
function tellDirectly(target, type, value) {
  if (target.dispatchEvent !== dispatchEvent) return false;
  const list = target[kListeners].get(type);
  if (list === undefined) return true;
  const { length } = list;
  for (let i = 0; i < length; i++) if (list[i].direct === undefined) return false;
  for (let i = 0; i < length; i++) {
    if (list[i].removed) continue;
    try {
      list[i].direct(value);
    } catch (error) {
      report(error);
    }
  }
  return true;
}

function report(error) { process.nextTick(() => { throw error; }); }

function call(listener, target, event) {
  try {
    let result;
    if (typeof listener === 'function') result = Reflect.apply(listener, target, [event]);
    else if (typeof listener.handleEvent === 'function') result = listener.handleEvent(event);
    if (result !== null && typeof result === 'object' && typeof result.then === 'function') {
      result.then(undefined, report);
    }
  } catch (error) {
    report(error);
  }
}

// The attribute on<name>: one function, called in the place of its first setting.
function defineHandler(Class, name, type = name) {
  Object.defineProperty(Class.prototype, `on${name}`, {
    configurable: true,
    enumerable: true,
    get() { return this[kHandlers]?.get(type)?.handler ?? null; },
    set(value) {
      if (this[kHandlers] === undefined) {
        Object.defineProperty(this, kHandlers,
          { value: new Map(), configurable: true, writable: true });
      }
      const entry = this[kHandlers].get(type);
      const handler = typeof value === 'function' || (typeof value === 'object' && value !== null)
        ? value : null;
      if (entry === undefined) {
        if (handler === null) return;
        const made = { handler, listener: undefined };
        made.listener = function onEvent(event) {
          return typeof made.handler === 'function' ? Reflect.apply(made.handler, this, [event])
            : undefined;
        };
        this[kHandlers].set(type, made);
        this.addEventListener(type, made.listener);
      } else if (handler === null) {
        this[kHandlers].delete(type);
        this.removeEventListener(type, entry.listener);
      } else {
        entry.handler = handler;
      }
    },
  });
}

// What emit() gives to listeners of events.
function eventOf(target, type, detail) {
  const event = new CustomEvent(type, { detail });
  event[kEvent].target = target;
  return event;
}

// What looks like an EventEmitter and is an EventTarget.
class NodeEventTarget extends EventTarget {
  static defaultMaxListeners = 10;

  setMaxListeners(n) {
    listsOf(this);
    require('events').setMaxListeners(n, this);
  }

  getMaxListeners() {
    listsOf(this);
    return this[kMaxListeners] ?? require('events').defaultMaxListeners;
  }

  eventNames() { return [...listsOf(this).keys()]; }

  listenerCount(type) { return listsOf(this).get(`${type}`)?.length ?? 0; }

  off(type, listener, options) {
    listsOf(this);
    return this.removeListener(type, listener, options);
  }

  removeListener(type, listener, options) {
    listsOf(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    listsOf(this);
    return this.addListener(type, listener);
  }

  addListener(type, listener) {
    listsOf(this);
    this.addEventListener(type, listener, { [kNodeStyle]: true });
    return this;
  }

  emit(type, arg) {
    listsOf(this);
    validateString(type, 'type');
    const has = this.listenerCount(type) > 0;
    let event;
    for (const one of [...this[kListeners].get(type) ?? []]) {
      if (one.removed) continue;
      if (one.once) remove.call(this, type, one.listener, one.capture);
      if (!one.isNodeStyle && event === undefined) event = eventOf(this, type, arg);
      call(one.listener, this, one.isNodeStyle ? arg : event);
    }
    return has;
  }

  once(type, listener) {
    listsOf(this);
    this.addEventListener(type, listener, { once: true, [kNodeStyle]: true });
    return this;
  }

  removeAllListeners(type) {
    const lists = listsOf(this);
    if (type === undefined) lists.clear();
    else lists.delete(`${type}`);
    return this;
  }
}
expose(NodeEventTarget, 'EventTarget');

// An event that the runtime itself made.
function trusted(event) {
  event[kEvent].isTrusted = true;
  return event;
}

module.exports = {
  Event, CustomEvent, EventTarget, NodeEventTarget, kEvents: kListeners, defineHandler, expose,
  initialize, invalidThis, trusted, kAdded, kRemoved, kMaxListeners, kWarned,
  kResistsStop, kWeak, kDirect, tellDirectly,
  isEventTarget: (value) => value?.[kListeners] !== undefined,
  listenersFor: (target, type) =>
    (target[kListeners]?.get(type) ?? []).map((one) => one.listener),
};
