'use strict';
const EventEmitter = require('events');
const { withCode } = require('internal/errors/errors');
const { validateFunction, validateObject, validateString } = require('internal/errors/validators');

const agent = () => require('internal/inspector/agent');
const server = () => require('internal/inspector/server');
const fail = (code, message) => withCode(Error, code, message);

class Session extends EventEmitter {
  #session;
  #lastId = 1;
  #waiting = new Map();

  connect() {
    if (this.#session !== undefined) {
      throw fail('ERR_INSPECTOR_ALREADY_CONNECTED', 'The inspector session is already connected');
    }
    this.#session = agent().connect((message) => this.#onMessage(message));
  }

  connectToMainThread() {
    if (require('worker_threads').isMainThread) {
      throw fail('ERR_INSPECTOR_NOT_WORKER', 'Current thread is not a worker');
    }
    throw fail('ERR_INSPECTOR_NOT_AVAILABLE', 'Inspector is not available');
  }

  #onMessage(message) {
    try {
      if (message.id === undefined) {
        this.emit(message.method, message);
        this.emit('inspectorNotification', message);
        return;
      }
      const callback = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (callback === undefined) return;
      if (message.error === undefined) callback(null, message.result);
      else callback(withCode(Error, 'ERR_INSPECTOR_COMMAND',
        `Inspector error ${message.error.code}: ${message.error.message}`));
    } catch (error) {
      process.emitWarning(error);
    }
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (!callback && typeof params === 'function') {
      callback = params;
      params = null;
    }
    if (params) validateObject(params, 'params');
    if (callback) validateFunction(callback, 'callback');
    if (this.#session === undefined) {
      throw fail('ERR_INSPECTOR_NOT_CONNECTED', 'Session is not connected');
    }
    const id = this.#lastId++;
    if (callback) this.#waiting.set(id, callback);
    // What is sent goes through JSON, as to any client.
    this.#session.dispatch(JSON.parse(JSON.stringify(params ? { id, method, params }
      : { id, method })));
  }

  disconnect() {
    if (this.#session === undefined) return;
    this.#session.close();
    this.#session = undefined;
    for (const callback of this.#waiting.values()) {
      process.nextTick(callback, fail('ERR_INSPECTOR_CLOSED', 'Session was closed'));
    }
    this.#waiting.clear();
    this.#lastId = 1;
  }
}

function open(port, host, wait) {
  if (server().isOpen()) {
    throw fail('ERR_INSPECTOR_ALREADY_ACTIVATED',
      'Inspector is already activated. Close it with inspector.close() before activating it ' +
      'again.');
  }
  if (port !== undefined && port !== null && !(Number.isInteger(+port) && +port >= 0 &&
      +port <= 65535)) {
    throw withCode(RangeError, 'ERR_OUT_OF_RANGE', 'The value of "port" is out of range. ' +
      `It must be >= 0 && <= 65535. Received ${port}`);
  }
  server().open({ port: port ?? undefined, host: host || undefined });
  if (wait && server().isOpen()) server().wait();
  return { __proto__: null, [Symbol.dispose ?? Symbol('dispose')]() { close(); } };
}

function close() { server().close(); }

let own;

// What programs that make requests of their own say of them.
function networkEvents() {
  const tell = (name) => ({ [name](params) {
    validateObject(params, 'params');
    require('internal/inspector/network').tell(name, params);
  } })[name];
  return Object.fromEntries(['requestWillBeSent', 'responseReceived', 'loadingFinished',
    'loadingFailed'].map((name) => [name, tell(name)]));
}

module.exports = {
  open,
  close,
  url: () => server().url(),
  waitForDebugger() { server().wait(); },
  get console() { return own ??= require('internal/inspector/console').makeConsole(); },
  Session,
  Network: networkEvents(),
};
