'use strict';
const EventEmitter = require('events');
const { MessagePort, MessageEvent, native, workers, hold } = require('internal/message_port');
const { invalidArgType, withCode } = require('internal/errors');

class MessageChannel {
  constructor() {
    const [a, b] = native.pair();
    this.port1 = new MessagePort(a);
    this.port2 = new MessagePort(b);
  }
}

class Worker extends EventEmitter {
  #id;
  #port;
  #control;
  #exited;

  constructor(file, options = {}) {
    super();
    let name = file;
    if (typeof file === 'object' && file !== null && file.href) {
      name = file.protocol === 'data:' ? file.href : require('url').fileURLToPath(file);
    } else if (typeof file !== 'string') {
      throw invalidArgType('filename', ['string', 'URL'], file);
    } else if (!options.eval && !/^(\/|\.\.?\/|data:)/.test(name)) {
      throw withCode(TypeError, 'ERR_WORKER_PATH',
        'The worker script or module filename must be an absolute path or a relative path ' +
        `starting with './' or '../'. Received "${name}"`);
    }
    const channel = new MessageChannel();
    const control = new MessageChannel();
    this.#port = channel.port1;
    this.#control = control.port1;
    this.#control.on('message', (message) => this.#onControl(message));
    this.#control.unref();
    const data = options.workerData;
    const environment = options.env === undefined || typeof options.env === 'symbol'
      ? { ...process.env } : options.env;
    this.#control.postMessage({ data, port: channel.port2 },
      [channel.port2, ...(options.transferList ?? [])]);
    this.#start(control.port2, {
      file: name, eval: Boolean(options.eval), argv: (options.argv ?? []).map(String),
      env: environment, name: options.name ?? '', cwd: process.cwd(),
      stdout: Boolean(options.stdout), stderr: Boolean(options.stderr),
    });
    this.threadId = this.#id;
    this.resourceLimits = {};
    workers.set(this.#id, this);
    hold(1);
    this.#port.on('message', (message) => this.emit('message', message));
    this.#port.unref();
    this.#exited = new Promise((resolve) => { this.once('exit', resolve); });
  }

  #start(port, settings) {
    try {
      this.#id = native.start(JSON.stringify(settings), port._release());
    } catch (error) {
      this.#port.close();
      this.#control.close();
      throw withCode(Error, 'ERR_WORKER_INIT_FAILED',
        `Worker initialization failure: ${error.code}`);
    }
  }

  #onControl(message) {
    if (message.kind === 'online') this.emit('online');
    else if (message.kind === 'error') this._failure = message.error;
  }

  _ended(code) {
    // What the worker sent before it ended comes first.
    for (let got; (got = this.#port._receive()) !== undefined;) this.emit('message', got.message);
    for (let got; (got = this.#control._receive()) !== undefined;) this.#onControl(got.message);
    this.#port.close();
    this.#control.close();
    this.threadId = -1;
    if (this._failure !== undefined) this.emit('error', this._failure);
    this.emit('exit', code);
  }

  postMessage(value, transfer) { this.#port.postMessage(value, transfer); }

  terminate() {
    if (this.threadId === -1) return Promise.resolve();
    native.terminate(this.#id);
    return this.#exited;
  }

  ref() {
    if (!this._unreferenced) return this;
    this._unreferenced = false;
    hold(1);
    return this;
  }

  unref() {
    if (this._unreferenced) return this;
    this._unreferenced = true;
    hold(-1);
    return this;
  }
}

function receiveMessageOnPort(port) {
  if (!(port instanceof MessagePort)) {
    throw require('internal/errors').withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
      'The "port" argument must be a MessagePort instance');
  }
  return port._receive();
}

const own = native.startData();

module.exports = {
  Worker, MessageChannel, MessagePort, MessageEvent,
  isMainThread: own === undefined,
  threadId: own === undefined ? 0 : own[2],
  parentPort: null,
  workerData: null,
  resourceLimits: {},
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  receiveMessageOnPort,
  markAsUntransferable() {},
  moveMessagePortToContext: (port) => port,
  getEnvironmentData: () => undefined,
  setEnvironmentData() {},
};
