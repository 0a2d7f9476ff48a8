'use strict';
const { invalidArgType } = require('internal/errors');

const kTarget = Symbol('kTarget');
const kStop = Symbol('kStop');

class Event {
  #type;
  #options;
  #prevented = false;
  #time = performance.now();

  constructor(type, options = {}) {
    if (arguments.length === 0) {
      throw require('internal/errors').withCode(TypeError, 'ERR_MISSING_ARGS',
        'The "type" argument must be specified');
    }
    this.#type = `${type}`;
    this.#options = { bubbles: Boolean(options?.bubbles), cancelable: Boolean(options?.cancelable),
      composed: Boolean(options?.composed) };
    this[kTarget] = null;
    this[kStop] = false;
  }

  get type() { return this.#type; }

  get target() { return this[kTarget]; }

  get currentTarget() { return this[kTarget]; }

  get srcElement() { return this[kTarget]; }

  get bubbles() { return this.#options.bubbles; }

  get cancelable() { return this.#options.cancelable; }

  get composed() { return this.#options.composed; }

  get defaultPrevented() { return this.#options.cancelable && this.#prevented; }

  get returnValue() { return !this.defaultPrevented; }

  get timeStamp() { return this.#time; }

  get eventPhase() { return this[kTarget] ? 2 : 0; }

  get isTrusted() { return false; }

  composedPath() { return this[kTarget] ? [this[kTarget]] : []; }

  preventDefault() { this.#prevented = true; }

  stopImmediatePropagation() { this[kStop] = true; }

  stopPropagation() {}

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `${this.constructor.name} ${inspect({
      type: this.type, defaultPrevented: this.defaultPrevented, cancelable: this.cancelable,
      timeStamp: this.timeStamp,
    }, options)}`;
  }
}
Object.defineProperty(Event.prototype, Symbol.toStringTag, { value: 'Event', configurable: true });

class CustomEvent extends Event {
  #detail;

  constructor(type, options = {}) {
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() { return this.#detail; }
}

const lists = new WeakMap();

class EventTarget {
  constructor() {
    lists.set(this, new Map());
  }

  addEventListener(type, listener, options = {}) {
    if (listener === null || listener === undefined) return;
    if (typeof listener !== 'function' && typeof listener !== 'object') {
      throw invalidArgType('listener', 'EventListener', listener);
    }
    if (typeof options === 'boolean') options = { capture: options };
    const { once = false, capture = false, signal } = options ?? {};
    if (signal && signal.aborted) return;
    const all = lists.get(this);
    const list = all.get(`${type}`) ?? [];
    if (list.some((one) => one.listener === listener && one.capture === capture)) return;
    list.push({ listener, once: Boolean(once), capture });
    all.set(`${type}`, list);
    if (signal) {
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, options),
        { once: true });
    }
  }

  removeEventListener(type, listener, options = {}) {
    const capture = typeof options === 'boolean' ? options : Boolean(options?.capture);
    const all = lists.get(this);
    const list = all.get(`${type}`);
    if (!list) return;
    all.set(`${type}`, list.filter((one) =>
      !(one.listener === listener && one.capture === capture)));
  }

  dispatchEvent(event) {
    if (!(event instanceof Event)) throw invalidArgType('event', 'Event', event);
    event[kTarget] = this;
    const list = lists.get(this).get(event.type) ?? [];
    for (const one of [...list]) {
      if (event[kStop]) break;
      if (!lists.get(this).get(event.type).includes(one)) continue;
      if (one.once) this.removeEventListener(event.type, one.listener, { capture: one.capture });
      call(one.listener, this, event);
    }
    return !event.defaultPrevented;
  }
}
Object.defineProperty(EventTarget.prototype, Symbol.toStringTag,
  { value: 'EventTarget', configurable: true });

function call(listener, target, event) {
  const report = (error) => process.nextTick(() => { throw error; });
  try {
    const result = typeof listener === 'function' ? listener.call(target, event)
      : listener.handleEvent(event);
    if (result && typeof result.then === 'function') result.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

module.exports = {
  Event, CustomEvent, EventTarget,
  listenersFor: (target, type) => (lists.get(target)?.get(type) ?? []).map((one) => one.listener),
};
