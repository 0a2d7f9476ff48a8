'use strict';
const EventEmitter = require('events');
const ids = require('internal/async/ids');
const told = require('internal/diagnostics/told_channels');
const { MessagePort, MessageChannel, MessageEvent, native, workers, hold, kReceive, kRelease,
  kIsOpen } = require('internal/messages/port');
const { invalidArgType, withCode } = require('internal/errors/errors');
const { settingsOf, isPlain, SHARE_ENV } = require('internal/worker/options');
const { markAsUntransferable } = require('internal/messages/transfer');

const environment = new Map(); // of setEnvironmentData

// What async_hooks shows of a worker.
class WorkerHandle {
  referenced = true;

  hasRef() { return this.referenced; }
}

// Many workers write to one stream: none of them listens to its errors.
function pipeThrough(from, to) {
  from.on('data', (chunk) => {
    if (to.write(chunk) !== false) return;
    from.pause();
    to.once('drain', () => from.resume());
  });
}

class Worker extends EventEmitter {
  #id;
  #port;
  #control;
  #exited;
  #handle = new WorkerHandle();
  #work;
  #failure;
  #hasFailed = false;
  #snapshots = []; // that were asked for
  #streams = {};
  #name;

  static nameOf(worker) { return worker.#name; }

  constructor(file, options = {}) {
    super();
    const settings = settingsOf(file, options ?? {});
    if (settings.env === undefined) require('internal/process/process').shareEnvironment();
    if (ids.isCounting()) this.#work = ids.made('WORKER', this.#handle);
    // In this order: what comes through the first is told first.
    const control = new MessageChannel();
    const channel = new MessageChannel();
    this.#port = channel.port1;
    this.#control = control.port1;
    this.#makeStreams(options ?? {});
    require('internal/worker/messaging').openBox();
    try {
      this.#control.postMessage({ data: options?.workerData, port: channel.port2,
        environment: new Map(environment) }, [channel.port2, ...(options?.transferList ?? [])]);
    } catch (error) {
      for (const port of [channel.port1, control.port1]) port.close();
      throw error;
    }
    this.#start(control.port2, settings, isPlain(options ?? {}));
    Object.defineProperty(this, 'threadId', { value: this.#id, writable: true,
      enumerable: true, configurable: true });
    this.#listen(settings);
  }

  #listen(settings) {
    this.#name = settings.name;
    this.resourceLimits = settings.resourceLimits ?? {};
    workers.set(this.#id, this);
    hold(1);
    this.#control.on('message', (message) => this.#onControl(message));
    this.#control.unref();
    this.#port.on('message', (message) => this.emit('message', message));
    this.#port.on('messageerror', (error) => this.emit('messageerror', error));
    this.#port.unref();
    this.#exited = new Promise((resolve) => { this.once('exit', resolve); });
    told.worker_threads?.publish({ worker: this });
    process.nextTick(() => process.emit('worker', this));
  }

  #makeStreams(options) {
    const { ReadableStdio, WritableStdio } = require('internal/worker/stdio');
    const streams = this.#streams;
    streams.stdin = options.stdin ? new WritableStdio(this.#control, 'stdin') : null;
    for (const name of ['stdout', 'stderr']) {
      streams[name] = new ReadableStdio(this.#control, name, Boolean(options[name]));
      if (!options[name]) pipeThrough(streams[name], process[name]);
    }
  }

  #start(port, settings, plain) {
    try {
      this.#id = native.start(JSON.stringify(settings), port[kRelease](), plain);
    } catch (error) {
      this.#port.close();
      this.#control.close();
      if (error.code === 'ERR_ACCESS_DENIED') throw error;
      throw withCode(Error, 'ERR_WORKER_INIT_FAILED',
        `Worker initialization failure: ${error.code}`);
    }
  }

  #onControl(message) {
    switch (message.kind) {
      case 'online': this.emit('online'); break;
      case 'error':
        this.#failure = require('internal/messages/errors').unpack(message.error);
        this.#hasFailed = true;
        break;
      case 'stdio': this.#streams[message.stream].take(message.chunks); break;
      case 'wants': this.#streams[message.stream]?.goOn(); break;
      case 'heap': this.#snapshots.shift()?.resolve(message.bytes); break;
      default:
        if (message.type !== 'couldNotSerializeError') {
          throw new Error(`Unknown worker message type ${message.type}`);
        }
        this.#failure = withCode(Error, 'ERR_WORKER_UNSERIALIZABLE_ERROR',
          'Serializing an uncaught exception failed');
        this.#hasFailed = true;
    }
  }

  get stdin() { return this.#streams.stdin; }

  get stdout() { return this.#streams.stdout; }

  get stderr() { return this.#streams.stderr; }

  get performance() {
    const loop = () => (this.threadId === -1 ? undefined : native.loopTimes(this.#id));
    return { eventLoopUtilization: (first, second) =>
      require('internal/performance/loop_utilization').utilization(loop, first, second) };
  }

  _ended(code) {
    if (this.#handle.referenced) hold(-1);
    // What the worker sent before it ended comes first.
    require('internal/process/process').inspected.serve?.();
    for (let got; (got = this.#port[kReceive]()) !== undefined;) this.emit('message', got.message);
    for (let got; (got = this.#control[kReceive]()) !== undefined;) this.#onControl(got.message);
    for (const name of ['stdout', 'stderr']) {
      if (!this.#streams[name].readableEnded) this.#streams[name].push(null);
    }
    this.#port.close();
    this.#control.close();
    this.threadId = -1;
    this.resourceLimits = {};
    if (this.#hasFailed) this.emit('error', this.#failure);
    this.emit('exit', code);
    process.nextTick(() => { this.#handle.referenced = undefined; });
    if (this.#work !== undefined) ids.destroyed(this.#work);
  }

  postMessage(...args) {
    if (this.threadId === -1) return;
    if (args.length === 1) this.#port.postMessage(args[0]);
    else this.#port.postMessage(...args);
  }

  terminate(callback) {
    if (typeof callback === 'function') {
      process.emitWarning('Passing a callback to worker.terminate() is deprecated. ' +
        'It returns a Promise instead.', 'DeprecationWarning', 'DEP0132');
      if (this.threadId === -1) return Promise.resolve();
      this.once('exit', (code) => callback(null, code));
    }
    if (this.threadId === -1) return Promise.resolve();
    this.ref();
    native.terminate(this.#id);
    return this.#exited;
  }

  async [Symbol.asyncDispose || Symbol.for('asyncDispose')]() { await this.terminate(); }

  // Taken by the worker itself, when it comes to look at its messages.
  getHeapSnapshot(options) {
    const { checkOptions, streamOf } = require('internal/v8/heap_snapshot');
    const checked = checkOptions(options);
    const failed = () => withCode(Error, 'ERR_WORKER_NOT_RUNNING',
      'Worker instance not running');
    if (!workers.has(this.#id)) return Promise.reject(failed());
    return new Promise((resolve, reject) => {
      this.#snapshots.push({ resolve: (bytes) => resolve(streamOf(Buffer.from(bytes))) });
      this.#exited.then(() => reject(failed()));
      this.#control.postMessage({ kind: 'heap', options: checked });
    });
  }

  ref() {
    if (this.threadId === -1) return;
    if (!this.#handle.referenced) hold(1);
    this.#handle.referenced = true;
    this.#port.ref();
  }

  unref() {
    if (this.threadId === -1) return;
    if (this.#handle.referenced) hold(-1);
    this.#handle.referenced = false;
    this.#port.unref();
  }
}

function receiveMessageOnPort(port) {
  const isChannel = port?.constructor?.name === 'BroadcastChannel';
  const got = isChannel ? require('internal/messages/broadcast_channel').receive(port)
    : port instanceof MessagePort ? port[kReceive]() : null;
  if (got === null) {
    throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
      'The "port" argument must be a MessagePort instance');
  }
  return got === undefined ? undefined : { message: got.message };
}

function moveMessagePortToContext(port, context) {
  if (!(port instanceof MessagePort)) {
    throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE',
      'The "port" argument must be a MessagePort instance');
  }
  if (!require('vm').isContext(context)) {
    if (port[kIsOpen]()) throw invalidArgType('contextifiedSandbox', 'vm.Context', context);
  }
  if (!port[kIsOpen]()) {
    throw withCode(Error, 'ERR_CLOSED_MESSAGE_PORT', 'Cannot send data on closed MessagePort');
  }
  return new MessagePort(port[kRelease]());
}

function setEnvironmentData(key, value) {
  if (value === undefined) environment.delete(key);
  else environment.set(key, value);
}

const { nameOf } = Worker;
delete Worker.nameOf;

const own = native.startData();

module.exports = {
  Worker, MessageChannel, MessagePort, MessageEvent,
  isMainThread: own === undefined,
  threadId: own === undefined ? 0 : own[2],
  parentPort: null,
  workerData: null,
  resourceLimits: {},
  SHARE_ENV,
  receiveMessageOnPort,
  markAsUntransferable,
  moveMessagePortToContext,
  getEnvironmentData: (key) => environment.get(key),
  setEnvironmentData,
  postMessageToThread: (...args) =>
    require('internal/worker/messaging').postMessageToThread(...args),
  get BroadcastChannel() {
    return require('internal/messages/broadcast_channel').BroadcastChannel;
  },
};
Object.defineProperty(module.exports.postMessageToThread, 'name', { value: 'postMessageToThread' });
Object.defineProperty(module.exports, 'nameOf', { value: nameOf, enumerable: false });
