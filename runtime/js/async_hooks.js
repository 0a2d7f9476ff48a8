'use strict';
const gate = binding('gate');
const ids = require('internal/async/ids');
const { withContext } = require('internal/async/with_context');
const { withCode } = require('internal/errors/errors');
const { validateFunction, validateString } = require('internal/errors/validators');

// The kinds of resources that Node knows, by its numbers.
const PROVIDERS = `
  NONE DIRHANDLE DNSCHANNEL ELDHISTOGRAM FILEHANDLE FILEHANDLECLOSEREQ BLOBREADER
  FSEVENTWRAP FSREQCALLBACK FSREQPROMISE GETADDRINFOREQWRAP GETNAMEINFOREQWRAP HEAPSNAPSHOT
  HTTP2SESSION HTTP2STREAM HTTP2PING HTTP2SETTINGS HTTPINCOMINGMESSAGE HTTPCLIENTREQUEST
  JSSTREAM JSUDPWRAP MESSAGEPORT PIPECONNECTWRAP PIPESERVERWRAP PIPEWRAP PROCESSWRAP PROMISE
  QUERYWRAP QUIC_LOGSTREAM QUIC_PACKET SHUTDOWNWRAP SIGNALWRAP STATWATCHER STREAMPIPE
  TCPCONNECTWRAP TCPSERVERWRAP TCPWRAP TTYWRAP UDPSENDWRAP UDPWRAP SIGINTWATCHDOG WORKER
  WORKERHEAPSNAPSHOT WRITEWRAP ZLIB CHECKPRIMEREQUEST PBKDF2REQUEST KEYPAIRGENREQUEST
  KEYGENREQUEST KEYEXPORTREQUEST CIPHERREQUEST DERIVEBITSREQUEST HASHREQUEST
  RANDOMBYTESREQUEST RANDOMPRIMEREQUEST SCRYPTREQUEST SIGNREQUEST TLSWRAP VERIFYREQUEST
`;

class AsyncLocalStorage {
  #isEnabled = false;

  static bind(work) { return AsyncResource.bind(work); }

  static snapshot() {
    return AsyncResource.bind((work, ...args) => work(...args), 'AsyncLocalStorage.snapshot');
  }

  #with(store) {
    const next = new Map(gate.getContext());
    next.set(this, store);
    return next;
  }

  _enable() { this.#isEnabled = true; }

  get enabled() { return this.#isEnabled; }

  run(store, work, ...args) {
    if (this.#isEnabled && Object.is(store, this.getStore())) {
      return Reflect.apply(work, null, args);
    }
    this._enable();
    return withContext(this.#with(store), work, null, args);
  }

  exit(work, ...args) {
    if (!this.#isEnabled) return Reflect.apply(work, null, args);
    const next = new Map(gate.getContext());
    next.delete(this);
    return withContext(next, work, null, args);
  }

  getStore() {
    if (!this.#isEnabled) return undefined;
    const context = gate.getContext();
    return context === undefined ? undefined : context.get(this);
  }

  enterWith(store) {
    this._enable();
    gate.setContext(this.#with(store));
  }

  disable() {
    this.#isEnabled = false;
    const next = new Map(gate.getContext());
    next.delete(this);
    gate.setContext(next.size === 0 ? undefined : next);
  }
}

let deprecated;

function tellDeprecated() {
  deprecated ??= require('util').deprecate(() => {},
    'The asyncResource property on bound functions is deprecated', 'DEP0172');
  deprecated();
}

const lost = new FinalizationRegistry((work) => ids.destroyed(work));

class AsyncResource {
  #context = gate.getContext();
  #work;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger = options;
    let isManual = false;
    if (typeof options !== 'number') {
      trigger = options.triggerAsyncId === undefined ? ids.trigger() : options.triggerAsyncId;
      isManual = Boolean(options.requireManualDestroy);
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw withCode(RangeError, 'ERR_INVALID_ASYNC_ID',
        `Invalid triggerAsyncId value: ${trigger}`);
    }
    if (type.length === 0 && ids.some.init > 0) {
      throw withCode(TypeError, 'ERR_ASYNC_TYPE', `Invalid name for async "type": ${type}`);
    }
    this.#work = ids.made(type, this, trigger);
    // It is not to live for its number.
    this.#work.resource = undefined;
    if (!isManual && ids.some.destroy > 0) lost.register(this, this.#work, this.#work);
    Object.defineProperty(this, 'type', { value: type, enumerable: false, writable: true,
      configurable: true });
  }

  static bind(work, type, self) {
    validateFunction(work, 'fn');
    return new AsyncResource(type || work.name || 'bound-anonymous-fn').bind(work, self);
  }

  runInAsyncScope(work, self, ...args) {
    const { id, trigger } = this.#work;
    return withContext(this.#context, ids.run, undefined,
      [{ id, trigger, resource: this }, work, self, args]);
  }

  bind(work, self) {
    validateFunction(work, 'fn');
    const resource = this;
    const bound = function bound(...args) {
      return resource.runInAsyncScope(work, self === undefined ? this : self, ...args);
    };
    let asyncResource = resource;
    Object.defineProperties(bound, {
      length: { value: work.length, configurable: true, enumerable: false, writable: false },
      asyncResource: {
        configurable: true,
        enumerable: true,
        get() {
          tellDeprecated();
          return asyncResource;
        },
        set(value) {
          tellDeprecated();
          asyncResource = value;
        },
      },
    });
    return bound;
  }

  asyncId() { return this.#work.id; }

  triggerAsyncId() { return this.#work.trigger; }

  emitDestroy() {
    lost.unregister(this.#work);
    if (ids.some.destroy > 0) ids.destroyId(this.#work.id);
    return this;
  }
}

module.exports = {
  AsyncLocalStorage, AsyncResource,
  createHook: ids.createHook,
  executionAsyncId: ids.executionAsyncId,
  triggerAsyncId: ids.triggerAsyncId,
  executionAsyncResource: ids.executionAsyncResource,
  asyncWrapProviders: Object.freeze(Object.assign({ __proto__: null },
    Object.fromEntries(PROVIDERS.trim().split(/\s+/).map((name, i) => [name, i])))),
};
