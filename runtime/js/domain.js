'use strict';
// Domains: errors of a group of callbacks go to one place. The domain that is active belongs to the
// async context, so that timers, ticks, promises and requests find it again.

const EventEmitter = require('events');
const gate = binding('gate');
const { withCode } = require('internal/errors/errors');
const capture = require('internal/process/capture');

const KEY = Symbol('domain');
let stack = [];

function current() {
  const context = gate.getContext();
  return context === undefined ? undefined : context.get(KEY);
}

// The stack belongs to one entry into JavaScript; another begins with the domain of its context.
function currentStack() {
  const now = current() ?? undefined;
  if (stack.at(-1) !== now) stack = now === undefined ? [] : [now];
  return stack;
}

function setCurrent(domain) {
  if (current() === domain) return;
  const next = new Map(gate.getContext());
  if (domain === undefined || domain === null) next.delete(KEY);
  else next.set(KEY, domain);
  gate.setContext(next.size === 0 ? undefined : next);
}

let absent = null; // what stands for no domain: as in Node, it depends on what came before

Object.defineProperty(process, 'domain', {
  configurable: true,
  enumerable: true,
  get: () => current() ?? absent,
  set: setCurrent,
});

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
  }

  add(emitter) {
    if (emitter.domain === this) return;
    if (emitter.domain) emitter.domain.remove(emitter);
    // A domain inside itself would never stop handing errors on.
    if (this.domain && emitter instanceof Domain) {
      for (let d = this.domain; d; d = d.domain) if (emitter === d) return;
    }
    Object.defineProperty(emitter, 'domain',
      { value: this, configurable: true, enumerable: false, writable: true });
    this.members.push(emitter);
  }

  remove(emitter) {
    emitter.domain = null;
    const at = this.members.indexOf(emitter);
    if (at !== -1) this.members.splice(at, 1);
  }

  enter() {
    currentStack().push(this);
    setCurrent(this);
  }

  exit() {
    const now = currentStack();
    const at = now.lastIndexOf(this);
    if (at === -1) return;
    now.splice(at);
    absent = undefined;
    setCurrent(now.at(-1));
  }

  // An exception leaves the domain entered: that is how its handler is found.
  run(work, ...args) {
    this.enter();
    const result = Reflect.apply(work, this, args);
    this.exit();
    return result;
  }

  bind(work) {
    const domain = this;
    function runBound(...args) {
      domain.enter();
      const result = Reflect.apply(work, this, args);
      domain.exit();
      return result;
    }
    return markBound(runBound, this);
  }

  intercept(work) {
    const domain = this;
    function runIntercepted(error, ...args) {
      if (error && error instanceof Error) {
        error.domainBound = work;
        error.domainThrown = false;
        Object.defineProperty(error, 'domain',
          { value: domain, configurable: true, enumerable: false, writable: true });
        domain.emit('error', error);
        return undefined;
      }
      domain.enter();
      const result = Reflect.apply(work, this, args);
      domain.exit();
      return result;
    }
    return markBound(runIntercepted, this);
  }

  // True if the error was handled, here or by a domain around this one.
  _errorHandler(error) {
    if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
      Object.defineProperty(error, 'domain',
        { value: this, configurable: true, enumerable: false, writable: true });
      error.domainThrown = true;
    }
    while (current() === this) this.exit();
    const around = [...currentStack()];
    let isHandled = false;
    if (around.length === 0) {
      if (this.listenerCount('error') > 0) isHandled = this.emit('error', error);
    } else {
      try {
        isHandled = this.emit('error', error);
      } catch (second) {
        const outer = around.at(-1);
        setCurrent(outer);
        stack = around;
        isHandled = outer._errorHandler(second);
      }
    }
    clear();
    return isHandled;
  }
}

function clear() {
  stack = [];
  setCurrent(undefined);
  absent = null;
}

function markBound(bound, domain) {
  Object.defineProperty(bound, 'domain',
    { value: domain, configurable: true, enumerable: true, writable: true });
  return bound;
}

// The hook of errors that nobody caught: undefined if no domain wants it.
function handleUncaught(error) {
  const now = currentStack();
  if (now.length === 0 || now.every((domain) => domain.listenerCount('error') === 0)) {
    clear();
    return undefined;
  }
  return now.at(-1)._errorHandler(error);
}

capture.setDomains(handleUncaught);

const { init } = EventEmitter;
const { emit } = EventEmitter.prototype;
EventEmitter.usingDomains = true;
EventEmitter.init = function initInDomain(options) {
  Object.defineProperty(this, 'domain',
    { value: null, configurable: true, enumerable: false, writable: true });
  const active = current();
  if (active && !(this instanceof Domain)) this.domain = active;
  return Reflect.apply(init, this, [options]);
};

EventEmitter.prototype.emit = function emitInDomain(type, ...args) {
  const { domain } = this;
  if (domain === null || domain === undefined || this === process) {
    return Reflect.apply(emit, this, [type, ...args]);
  }
  const [error] = args;
  if (type === 'error' && this.listenerCount('error') === 0) {
    return emitErrorTo(domain, this, args.length > 0 && error ? error : undefined);
  }
  domain.enter();
  const result = Reflect.apply(emit, this, [type, ...args]);
  domain.exit();
  return result;
};

function emitErrorTo(domain, emitter, error) {
  const told = error ?? withCode(Error, 'ERR_UNHANDLED_ERROR', 'Unhandled error.');
  if (typeof told === 'object') {
    told.domainEmitter = emitter;
    Object.defineProperty(told, 'domain',
      { value: domain, configurable: true, enumerable: false, writable: true });
    told.domainThrown = false;
  }
  const outer = [...currentStack()];
  const before = [...outer];
  while (before.at(-1) === domain) before.pop();
  stack = before;
  absent = null;
  setCurrent(before.at(-1));
  domain.emit('error', told);
  stack = outer;
  setCurrent(outer.at(-1));
  return false;
}

function create() {
  return new Domain();
}

module.exports = { Domain, create, createDomain: create };
Object.defineProperties(module.exports, {
  _stack: { enumerable: true, get: currentStack },
  active: { enumerable: true, get: () => process.domain, set: setCurrent },
});
