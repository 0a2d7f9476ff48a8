'use strict';
// The numbers of asynchronous work, and the hooks that are told of it. Nothing has a number until
// somebody asks for one or enables a hook: from then on, whatever C queues or starts is a piece of
// work (runtime/engine/hooked.h), { id, trigger, resource, context }, and so are promises and the
// resources of programs.

const gate = binding('gate');
const { withCode } = require('internal/errors/errors');

const NOTHING = { id: 0, trigger: 0, resource: {} };
const ROOT = { id: 1, trigger: 0, resource: {} };
const MADE = 0, ENTER = 1, LEAVE = 2, UNWIND = 3, BASE = 4, GONE = 5; // as in hooked.h
const MOST_GONE = 16384; // then their end is told soon
const NAMES = ['init', 'before', 'after', 'destroy', 'promiseResolve'];

let current = ROOT;
const entered = []; // what ran before each that runs
let lastId = 1;
let isCounting = false;
let wasAsked = false; // somebody wants the numbers, with hooks or without
let above; // the number of what starts the work that is made now, if it is not `current`

let hooks = [];
let next; // the hooks from now on, while some are being called
let depth = 0; // of calls of hooks
const some = { init: 0, before: 0, after: 0, destroy: 0, promiseResolve: 0 };
let stopPromises;

let gone = []; // numbers whose end is not told yet
const works = new WeakMap(); // of promises and handles

const newId = () => ++lastId;

function fail(error) {
  if (typeof error?.stack === 'string') {
    process._rawDebug(error.stack);
  } else {
    const { stack } = new Error();
    process._rawDebug(`Error: ${String(error)}${stack.slice(stack.indexOf('\n'))}`);
  }
  if (require('internal/boot/options').isOn('abort-on-uncaught-exception')) process.abort();
  process.exitCode = 1;
  process.emit('exit', 1);
  binding('process').endNow(1);
}

// What was entered last is not what is left.
function corrupted(actual, expected) {
  const error = new Error('async hook stack has become corrupted ' +
    `(actual: ${actual}, expected: ${expected})`);
  process._rawDebug(error.stack);
  binding('process').endNow(1);
}

// Hooks that are enabled or disabled by a hook are so when it has returned.
function tell(name, ...args) {
  if (some[name] === 0) return;
  depth++;
  try {
    for (const hook of hooks) {
      if (hook[name] !== undefined) Reflect.apply(hook[name], hook.owner, args);
    }
  } catch (error) {
    fail(error);
  }
  depth--;
  if (depth === 0 && next !== undefined) change(next);
}

function change(list) {
  hooks = list;
  next = undefined;
  for (const name of NAMES) some[name] = list.filter((one) => one[name] !== undefined).length;
  update();
}

function update() {
  const wanted = wasAsked || hooks.length > 0;
  if (wanted !== isCounting) {
    isCounting = wanted;
    const hasBase = gate.setAsyncHook(onWork, wanted);
    if (wanted && entered.length === 0 && !hasBase) {
      current = { id: newId(), trigger: 0, resource: {}, isBase: true };
    }
  }
  if (hooks.length > 0) {
    const { watch } = require('internal/async/promise_hooks');
    stopPromises ??= watch(require('internal/async/promises'));
  } else if (stopPromises !== undefined) {
    gate.enqueueMicrotask(() => {
      if (hooks.length > 0) return;
      stopPromises?.();
      stopPromises = undefined;
    }, true);
  }
}

function ask() {
  if (wasAsked) return;
  wasAsked = true;
  update();
}

function fill(work, type, resource, trigger = above ?? current.id) {
  work.id = newId();
  work.trigger = trigger;
  work.resource = resource;
  work.context = gate.getContext();
  if (some.init > 0) tell('init', work.id, type, trigger, resource);
  return work;
}

function made(type, resource, trigger) {
  return fill({}, type, resource, trigger);
}

// Calls with another number as the one that starts what is made meanwhile.
function below(id, call, ...args) {
  if (!isCounting || id === undefined) return call(...args);
  const before = above;
  above = id;
  try {
    return call(...args);
  } finally {
    above = before;
  }
}

function enter(work) {
  entered.push(current);
  current = work;
  if (some.before > 0) tell('before', work.id);
}

function leave() {
  if (entered.length === 0) return;
  if (some.after > 0) tell('after', current.id);
  current = entered.pop() ?? NOTHING;
}

// An exception has left everything, and was handled.
function unwind() {
  while (entered.length > 0) leave();
  if (current.id !== 0 && some.after > 0) tell('after', current.id);
  current = NOTHING;
}

// Calls it as that work.
function run(work, call, self, args) {
  enter(work);
  const height = entered.length;
  try {
    return Reflect.apply(call, self, args);
  } finally {
    if (entered.length === height) leave();
  }
}

// Each is told once, in the next check phase.
function destroyed(work) {
  if (work.isDestroyed) return;
  work.isDestroyed = true;
  if (some.destroy > 0) destroyId(work.id);
}

function destroyId(id) {
  if (gone.length === 0) gate.tellGone();
  if (gone.push(id) === MOST_GONE) gate.enqueueMicrotask(tellGone, true);
}

function tellGone() {
  while (gone.length > 0) {
    const list = gone;
    gone = [];
    for (const id of list) tell('destroy', id);
  }
}

// What programs find as the resource of work that has no object of its own.
function resourceOf(type, given) {
  switch (type) {
    case 'TickObject': return { callback: given, args: undefined };
    case 'Microtask': return { type, callback: given };
    case 'HTTPINCOMINGMESSAGE': return { type, socket: given.socket };
    case 'HTTPCLIENTREQUEST': return { type, req: given.req };
    default: return given ?? {};
  }
}

let isPromised = false;

// Requests of files that are made meanwhile belong to promises.
function promised(call) {
  if (!isCounting) return call();
  isPromised = true;
  try {
    return call();
  } finally {
    isPromised = false;
  }
}

function onMade(work, type, given, owner) {
  const resource = resourceOf(type, given);
  if (given !== undefined && resource === given) works.set(resource, work);
  if (isPromised && type === 'FSREQCALLBACK') type = 'FSREQPROMISE';
  fill(work, type, resource, owner?.id);
}

// What was running when somebody began to count has returned.
function leaveBase() {
  if (entered.length > 0) {
    if (current.isManual) corrupted(current.id, entered[0].id);
    return;
  }
  const base = current;
  if (base.isBase) {
    tell('after', base.id);
    destroyed(base);
  }
  current = NOTHING;
}

// What was made before anybody counted has a number of its own, and nobody is told.
function onEnter(work) {
  if (work?.id !== undefined) {
    enter(work);
    return;
  }
  entered.push(current);
  current = { id: newId(), trigger: 0, resource: {}, isUnknown: true };
}

function onLeave() {
  if (current.isUnknown) current = entered.pop() ?? NOTHING;
  else leave();
}

function onWork(event, work, type, resource, owner) {
  switch (event) {
    case MADE: onMade(work, type, resource, owner); break;
    case ENTER: onEnter(work); break;
    case LEAVE: onLeave(); break;
    case UNWIND: unwind(); break;
    case BASE: leaveBase(); break;
    case GONE:
      destroyed(work);
      if (work !== current) work.resource = undefined;
      break;
    default: tellGone();
  }
}

// The work of a promise or a handle; one that has none gets a number now.
function workOf(object, trigger = 0) {
  let work = works.get(object);
  if (work === undefined) {
    work = { id: newId(), trigger, resource: object };
    works.set(object, work);
  }
  return work;
}

// The number of a handle, while somebody counts.
function idOf(handle) {
  return isCounting && handle ? workOf(handle).id : undefined;
}

// What reuses a handle: the resource of its next work.
class ReusedHandle {
  constructor(type, handle) {
    this.type = type;
    this.handle = handle;
  }
}

// A handle that is used again is work of its own: its new number.
function reuse(handle, type) {
  const work = workOf(handle);
  if (some.destroy > 0) destroyId(work.id);
  work.isDestroyed = false;
  return fill(work, type, new ReusedHandle(type, handle)).id;
}

class AsyncHook {
  #hook;

  constructor(given) {
    const { init, before, after, destroy, promiseResolve } = given;
    this.#hook = { init, before, after, destroy, promiseResolve, owner: this };
    for (const name of NAMES) {
      const hook = this.#hook[name];
      if (hook !== undefined && typeof hook !== 'function') {
        throw withCode(TypeError, 'ERR_ASYNC_CALLBACK', `hook.${name} must be a function`);
      }
    }
  }

  #set(isOn) {
    const list = next ?? hooks;
    if (list.includes(this.#hook) === isOn) return this;
    const wanted = isOn ? [...list, this.#hook] : list.filter((one) => one !== this.#hook);
    if (depth > 0) next = wanted;
    else change(wanted);
    return this;
  }

  enable() { return this.#set(true); }

  disable() { return this.#set(false); }
}

module.exports = {
  made, run, below, enter, leave, unwind, destroyed, destroyId, promised, workOf, idOf, works,
  newId, tell, some, fail, corrupted, reuse, kAsyncId: Symbol('async_id_symbol'),
  hasHooks: () => hooks.length > 0,
  current: () => current,
  depth: () => entered.length,
  trigger: () => above ?? current.id,
  isCounting: () => isCounting,
  createHook: (given) => new AsyncHook(given),
  executionAsyncId() {
    ask();
    return current.id;
  },
  triggerAsyncId() {
    ask();
    return current.trigger;
  },
  executionAsyncResource() {
    ask();
    return current.resource;
  },
};
