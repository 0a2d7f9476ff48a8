'use strict';
// The numbers of asynchronous work, and the hooks that are told of it. Promises and resources of
// programs have numbers always; ticks, timers, immediates and microtasks have them from the first
// hook on: until then they take the short way.

const gate = binding('gate');
const { setImmediate } = require('timers');
const { withCode } = require('internal/errors');

const ROOT = { id: 1, trigger: 0, resource: {} };
let current = ROOT;
let lastId = 1;
let hooks = [];
let stopPromises;

const gone = []; // numbers whose end is not told yet

const newId = () => ++lastId;

function fail(error) {
  process._rawDebug(error?.stack ?? String(error));
  if (process.listenerCount('exit') > 0) process.emit('exit', 1);
  binding('process').exit(1);
}

function tell(name, ...args) {
  for (const hook of hooks) {
    if (hook[name] === undefined) continue;
    try {
      hook[name](...args);
    } catch (error) {
      fail(error);
    }
  }
}

function made(type, resource, trigger = current.id) {
  const id = newId();
  if (hooks.length > 0) tell('init', id, type, trigger, resource);
  return { id, trigger, resource };
}

// Calls it as the work with that number.
function run(work, call, self, args) {
  const before = current;
  current = work;
  if (hooks.length > 0) tell('before', work.id);
  try {
    return Reflect.apply(call, self, args);
  } finally {
    if (hooks.length > 0) tell('after', work.id);
    current = before;
  }
}

// Each is told once, later.
function destroyed(work) {
  if (work.isDestroyed) return;
  work.isDestroyed = true;
  if (hooks.length === 0) return;
  gone.push(work.id);
  if (gone.length > 1) return;
  // Nobody is told of the immediate that tells.
  gate.setQueueHook(undefined);
  setImmediate(() => { for (const id of gone.splice(0)) tell('destroy', id); });
  gate.setQueueHook(onQueued);
}

const promises = new WeakMap();
const entered = []; // what ran before each promise that runs

const promiseWatcher = {
  init(promise, parent) {
    const above = parent === undefined ? undefined : promises.get(parent);
    promises.set(promise, made('PROMISE', promise, above?.id));
  },
  before(promise) {
    let work = promises.get(promise);
    if (work === undefined) {
      work = { id: newId(), trigger: 0, resource: promise };
      promises.set(promise, work);
    }
    entered.push(current);
    current = work;
    tell('before', work.id);
  },
  after(promise) {
    const work = promises.get(promise);
    if (work !== undefined) tell('after', work.id);
    current = entered.pop() ?? ROOT;
  },
  settled(promise) {
    const work = promises.get(promise);
    if (work !== undefined) tell('promiseResolve', work.id);
  },
};

const KINDS = ['TickObject', 'Microtask', 'Timeout', 'Timeout', 'Immediate']; // as in hooked.h
const INTERVAL = 3;
const waiting = new WeakMap(); // timers and immediates, and the functions that stand for theirs

// What is queued instead of a callback.
function standIn(kind, callback) {
  let work = kind < 2 ? made(KINDS[kind], { callback }) : undefined;
  function called(...args) {
    work ??= waiting.get(called);
    if (work === undefined) return Reflect.apply(callback, this, args);
    try {
      return run(work, callback, this, args);
    } finally {
      if (kind !== INTERVAL) destroyed(work);
    }
  }
  return called;
}

function onQueued(kind, given, object) {
  if (kind === KINDS.length) {
    const work = waiting.get(object);
    if (work !== undefined) destroyed(work);
    return undefined;
  }
  if (object === undefined) return standIn(kind, given);
  const work = made(KINDS[kind], object);
  waiting.set(object, work);
  waiting.set(given, work);
  return undefined;
}

function add(hook) {
  hooks = [...hooks, hook];
  gate.setQueueHook(onQueued);
  stopPromises ??= require('internal/promise_hooks').watch(promiseWatcher);
}

function remove(hook) {
  hooks = hooks.filter((one) => one !== hook);
  if (hooks.length > 0) return;
  gate.setQueueHook(undefined);
  stopPromises?.();
  stopPromises = undefined;
}

class AsyncHook {
  #hook;

  constructor(given) {
    const { init, before, after, destroy, promiseResolve } = given;
    this.#hook = { init, before, after, destroy, promiseResolve };
    for (const name of Object.keys(this.#hook)) {
      if (this.#hook[name] !== undefined && typeof this.#hook[name] !== 'function') {
        throw withCode(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
      }
    }
  }

  enable() {
    if (!hooks.includes(this.#hook)) add(this.#hook);
    return this;
  }

  disable() {
    remove(this.#hook);
    return this;
  }
}

module.exports = {
  made, run, destroyed,
  createHook: (given) => new AsyncHook(given),
  executionAsyncId: () => current.id,
  triggerAsyncId: () => current.trigger,
  executionAsyncResource: () => current.resource,
};
