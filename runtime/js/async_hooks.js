'use strict';
const gate = binding('gate');
const { validateFunction, validateString } = require('internal/errors');

// The context is one immutable Map: storage -> value.
function withContext(context, work, self, args) {
  const before = gate.getContext();
  gate.setContext(context);
  try {
    return Reflect.apply(work, self, args);
  } finally {
    gate.setContext(before);
  }
}

class AsyncLocalStorage {
  static bind(work) { return AsyncResource.bind(work); }

  static snapshot() {
    const context = gate.getContext();
    return (work, ...args) => withContext(context, work, undefined, args);
  }

  run(store, work, ...args) {
    const next = new Map(gate.getContext());
    next.set(this, store);
    return withContext(next, work, undefined, args);
  }

  exit(work, ...args) {
    const next = new Map(gate.getContext());
    next.delete(this);
    return withContext(next, work, undefined, args);
  }

  getStore() {
    const context = gate.getContext();
    return context === undefined ? undefined : context.get(this);
  }

  enterWith(store) {
    const next = new Map(gate.getContext());
    next.set(this, store);
    gate.setContext(next);
  }

  disable() {
    const next = new Map(gate.getContext());
    next.delete(this);
    gate.setContext(next.size === 0 ? undefined : next);
  }
}

let lastId = 1;

class AsyncResource {
  #context = gate.getContext();
  #id = ++lastId;

  constructor(type) {
    validateString(type, 'type');
    this.type = type;
    Object.defineProperty(this, 'type', { enumerable: false });
  }

  static bind(work, type, self) {
    validateFunction(work, 'fn');
    return new AsyncResource(type || work.name || 'bound-anonymous-fn').bind(work, self);
  }

  runInAsyncScope(work, self, ...args) { return withContext(this.#context, work, self, args); }

  bind(work, self) {
    const resource = this;
    const bound = function bound(...args) {
      return resource.runInAsyncScope(work, self === undefined ? this : self, ...args);
    };
    Object.defineProperty(bound, 'length', { value: work.length });
    return bound;
  }

  asyncId() { return this.#id; }

  triggerAsyncId() { return 1; }

  emitDestroy() { return this; }
}

module.exports = {
  AsyncLocalStorage, AsyncResource,
  createHook: () => ({ enable() { return this; }, disable() { return this; } }),
  executionAsyncId: () => 1,
  triggerAsyncId: () => 0,
  executionAsyncResource: () => ({}),
  asyncWrapProviders: {},
};
