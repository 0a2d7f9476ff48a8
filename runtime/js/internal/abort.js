'use strict';
const { Event, EventTarget } = require('internal/event_target');
const { DOMException } = require('internal/dom_exception');
const { withCode } = require('internal/errors');

let allowed = false;

class AbortSignal extends EventTarget {
  #aborted = false;
  #reason;
  #dependents = [];
  #handler = null;

  constructor() {
    if (!allowed) throw withCode(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
    super();
  }

  get onabort() { return this.#handler; }

  set onabort(value) {
    if (this.#handler) this.removeEventListener('abort', this.#handler);
    this.#handler = typeof value === 'function' ? value : null;
    if (this.#handler) this.addEventListener('abort', this.#handler);
  }

  get aborted() { return this.#aborted; }

  get reason() { return this.#reason; }

  throwIfAborted() {
    if (this.#aborted) throw this.#reason;
  }

  static make() {
    allowed = true;
    try {
      return new AbortSignal();
    } finally {
      allowed = false;
    }
  }

  static fire(signal, reason) {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason;
    signal.dispatchEvent(new Event('abort'));
    for (const one of signal.#dependents.splice(0)) AbortSignal.#fireNow(one, reason);
  }

  static #fireNow(signal, reason) { fire(signal, reason); }

  static abort(reason = new DOMException('This operation was aborted', 'AbortError')) {
    const signal = make();
    fire(signal, reason);
    return signal;
  }

  static timeout(delay) {
    const signal = make();
    setTimeout(() => fire(signal,
      new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delay).unref();
    return signal;
  }

  static any(signals) {
    const signal = make();
    for (const one of signals) {
      if (one.aborted) {
        fire(signal, one.reason);
        return signal;
      }
    }
    for (const one of signals) {
      one.#dependents.push(signal);
    }
    return signal;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `AbortSignal ${inspect({ aborted: this.aborted }, options)}`;
  }
}
const { make, fire } = AbortSignal;
delete AbortSignal.make;
delete AbortSignal.fire;
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag,
  { value: 'AbortSignal', configurable: true });

class AbortController {
  #signal = make();

  get signal() { return this.#signal; }

  abort(reason = new DOMException('This operation was aborted', 'AbortError')) {
    fire(this.#signal, reason);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) {
    return `AbortController ${inspect({ signal: this.signal }, options)}`;
  }
}
Object.defineProperty(AbortController.prototype, Symbol.toStringTag,
  { value: 'AbortController', configurable: true });

module.exports = { AbortController, AbortSignal };
