'use strict';
const gate = binding('gate');
const ids = require('internal/async_ids');
const { validateFunction, validateString, withCode } = require('internal/errors');

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

class AsyncResource {
  #context = gate.getContext();
  #work;

  constructor(type, options = {}) {
    validateString(type, 'type');
    const trigger = typeof options === 'number' ? options : options?.triggerAsyncId;
    if (trigger !== undefined && !(Number.isSafeInteger(trigger) && trigger >= -1)) {
      throw withCode(RangeError, 'ERR_INVALID_ASYNC_ID',
        `Invalid triggerAsyncId value: ${trigger}`);
    }
    if (type.length === 0) {
      throw withCode(TypeError, 'ERR_ASYNC_TYPE', `Invalid name for async "type": ${type}`);
    }
    this.type = type;
    Object.defineProperty(this, 'type', { enumerable: false });
    this.#work = ids.made(type, this, trigger);
  }

  static bind(work, type, self) {
    validateFunction(work, 'fn');
    return new AsyncResource(type || work.name || 'bound-anonymous-fn').bind(work, self);
  }

  runInAsyncScope(work, self, ...args) {
    return withContext(this.#context, ids.run, undefined, [this.#work, work, self, args]);
  }

  bind(work, self) {
    const resource = this;
    const bound = function bound(...args) {
      return resource.runInAsyncScope(work, self === undefined ? this : self, ...args);
    };
    Object.defineProperty(bound, 'length', { value: work.length });
    return bound;
  }

  asyncId() { return this.#work.id; }

  triggerAsyncId() { return this.#work.trigger; }

  emitDestroy() {
    ids.destroyed(this.#work);
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
