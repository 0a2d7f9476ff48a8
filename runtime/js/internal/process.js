'use strict';
// The process object, and what happens to errors that nobody catches.

const native = binding('process');
const gate = binding('gate');
const EventEmitter = require('events');
const { invalidArgType, invalidArgValue, validateInteger, validateString, withCode, systemError } =
  require('internal/errors');

function setupIdentity() {
  const raw = native.arguments();
  process.argv0 = raw[0];
  process.execPath = native.executable();
  process.execArgv = [];
  process.argv = [process.execPath, ...raw.slice(1)];
  process.title = 'phasor';
  process.pid = native.pid();
  Object.defineProperty(process, 'ppid', { enumerable: true, get: () => native.ppid() });
  process.arch = require('internal/arch');
  process.platform = 'linux';
  process.version = 'v20.20.2';
  process.versions = { node: '20.20.2', ...native.versions, modules: '115', phasor: '1.0.0' };
  process.release = { name: 'node', lts: 'Iron' };
  process.features = { inspector: false, debug: false, uv: true, ipv6: true, tls: false };
  process.config = { target_defaults: {}, variables: {} };
  let exitCode;
  Object.defineProperty(process, 'exitCode', {
    configurable: true,
    enumerable: true,
    get: () => exitCode,
    set(value) {
      if (value !== undefined && value !== null) {
        const number = typeof value === 'string' && value !== '' ? Number(value) : value;
        if (typeof value === 'string' ? !Number.isInteger(number) : typeof value !== 'number') {
          throw invalidArgType('code', 'number', value);
        }
        validateInteger(number, 'code');
      }
      exitCode = value;
    },
  });
  process.debugPort = 9229;
  Object.defineProperty(process, 'title', {
    enumerable: true,
    configurable: true,
    get: () => native.title(),
    set: (text) => native.title(String(text)),
  });
}

// Reads and writes reach the real environment; values are text.
function setupEnvironment() {
  const values = native.environment();
  process.env = new Proxy(values, {
    set(target, name, value) {
      if (typeof name === 'symbol' || typeof value === 'symbol') {
        throw new TypeError('Cannot convert a Symbol value to a string');
      }
      target[name] = `${value}`;
      native.setEnvironment(name, `${value}`);
      return true;
    },
    deleteProperty(target, name) {
      delete target[name];
      if (typeof name === 'string') native.setEnvironment(name, undefined);
      return true;
    },
    defineProperty(target, name, descriptor) {
      if ('value' in descriptor) {
        target[name] = `${descriptor.value}`;
        native.setEnvironment(name, `${descriptor.value}`);
      }
      return true;
    },
  });
}

function hrtime(since) {
  const pair = native.hrtimePair();
  if (since === undefined) return pair;
  if (!Array.isArray(since)) throw invalidArgType('time', 'Array', since);
  let seconds = pair[0] - since[0];
  let nanoseconds = pair[1] - since[1];
  if (nanoseconds < 0) {
    seconds--;
    nanoseconds += 1e9;
  }
  return [seconds, nanoseconds];
}
hrtime.bigint = () => native.hrtimeBigint();

function cpuUsage(since) {
  const now = native.usage();
  const user = now.userCPUTime - (since ? since.user : 0);
  return { user, system: now.systemCPUTime - (since ? since.system : 0) };
}

let exiting = false;

function checkedCode(code) {
  if (code === undefined || code === null) return undefined;
  return typeof code === 'string' ? Number(code) : code;
}

function emitExit() {
  if (!exiting) {
    exiting = true;
    process._exiting = true;
    process.emit('exit', checkedCode(process.exitCode) || 0);
  }
  return (checkedCode(process.exitCode) || 0) & 255;
}

function exit(code) {
  if (code !== undefined) process.exitCode = code;
  native.exit(emitExit());
}

function kill(pid, signal) {
  // eslint-disable-next-line eqeqeq
  if (pid != (pid | 0)) throw invalidArgType('pid', 'number', pid);
  const { signals } = require('internal/constants');
  const number = typeof signal === 'number' ? signal : signals[signal || 'SIGTERM'];
  if (number === undefined) {
    throw withCode(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`);
  }
  const status = native.kill(pid | 0, number);
  if (status) throw systemError(status, 'kill');
  return true;
}

function emitWarning(warning, type, code) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ({ detail, code } = type);
    if (typeof detail !== 'string') detail = undefined;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    type = 'Warning';
    code = undefined;
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') code = undefined;
  else if (code !== undefined) validateString(code, 'code');
  if (typeof warning === 'string') {
    const made = new Error(warning);
    made.name = String(type || 'Warning');
    if (code !== undefined) made.code = code;
    if (detail !== undefined) made.detail = detail;
    Error.captureStackTrace(made, emitWarning);
    warning = made;
  } else if (!(warning instanceof Error)) {
    throw invalidArgType('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning' && process.noDeprecation) return;
  process.nextTick(() => process.emit('warning', warning));
}

class UnhandledPromiseRejection extends Error {
  code = 'ERR_UNHANDLED_REJECTION';
}
Object.defineProperty(UnhandledPromiseRejection.prototype, 'name',
  { value: 'UnhandledPromiseRejection', writable: true, configurable: true });

let hinted = false;

function printWarning(warning) {
  if (process.noProcessWarnings || process.env.NODE_NO_WARNINGS === '1') return;
  const trace = process.traceProcessWarnings;
  let text = `(node:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  if (trace && warning.stack) text += warning.stack;
  else text += typeof warning.toString === 'function' ? `${warning.toString()}` : String(warning);
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!trace && !hinted) {
    hinted = true;
    const flag = warning.name === 'DeprecationWarning' ? 'deprecation' : 'warnings';
    text += `\n(Use \`node --trace-${flag} ...\` to show where the warning was created)`;
  }
  native.write(2, `${text}\n`);
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw invalidArgType('callback', 'function', callback);
  gate.enqueueMicrotask(callback);
}

let captureCallback = null;

function setUncaughtExceptionCaptureCallback(callback) {
  if (callback !== null && typeof callback !== 'function') {
    throw invalidArgType('fn', ['Function', 'null'], callback);
  }
  captureCallback = callback;
}

// True if someone took the error; else it is printed and the process ends.
function onUncaught(error, origin) {
  const type = origin === true ? 'unhandledRejection' : 'uncaughtException';
  try {
    if (captureCallback !== null) {
      captureCallback(error);
      return true;
    }
    if (process.listenerCount('uncaughtExceptionMonitor') > 0) {
      process.emit('uncaughtExceptionMonitor', error, type);
    }
    if (process.emit('uncaughtException', error, type)) return true;
  } catch (second) {
    require('internal/report').printFatal(second);
    native.exit(7);
  }
  require('internal/report').printFatal(error);
  try {
    if (!exiting) {
      exiting = true;
      process.exitCode = 1;
      process.emit('exit', 1);
    }
  } catch {
    // Nothing more can be done for it.
  }
  native.exit(process.exitCode === undefined ? 1 : process.exitCode & 255);
  return false;
}

function setupRejections(setHook) {
  const pending = new Map();
  const reported = new WeakMap();
  let lateHandled = [];
  let uid = 0;

  setHook('rejection', (handled, promise, reason) => {
    if (!handled) {
      pending.set(promise, { reason, uid: ++uid });
      return;
    }
    if (pending.delete(promise)) return;
    const info = reported.get(promise);
    if (info !== undefined) {
      reported.delete(promise);
      lateHandled.push({ promise, info });
    }
  });

  function asError(reason) {
    if (reason instanceof Error) return reason;
    const { inspect } = require('internal/inspect');
    const text = typeof reason === 'object' && reason !== null ? '#<Object>' : null;
    const shown = text && reason.constructor && reason.constructor.name
      ? `#<${reason.constructor.name}>` : text || (typeof reason === 'string' ? reason
        : inspect(reason));
    return new UnhandledPromiseRejection(
      'This error originated either by throwing inside of an async function without a catch ' +
        'block, or by rejecting a promise which was not handled with .catch(). The promise ' +
        `rejected with the reason "${shown}".`
    );
  }

  setHook('rejections', () => {
    const late = lateHandled;
    lateHandled = [];
    for (const { promise, info } of late) {
      if (info.warned) {
        const warning = new Error(
          `Promise rejection was handled asynchronously (rejection id: ${info.uid})`);
        warning.name = 'PromiseRejectionHandledWarning';
        warning.id = info.uid;
        process.emitWarning(warning);
      }
      process.emit('rejectionHandled', promise);
    }
    let any = late.length > 0;
    for (const [promise, info] of [...pending]) {
      if (!pending.delete(promise)) continue;
      any = true;
      reported.set(promise, info);
      if (process.emit('unhandledRejection', info.reason, promise)) continue;
      const error = asError(info.reason);
      onUncaughtOrEnd(error);
    }
    return any || pending.size > 0;
  });

  function onUncaughtOrEnd(error) {
    if (onUncaught(error, true)) binding('timers').setImmediate(() => {});
  }
}

function setupSignals() {
  const { signals } = require('internal/constants');
  const active = new Map();
  process.on('newListener', (type) => {
    if (typeof type !== 'string' || signals[type] === undefined || active.has(type)) return;
    const handle = native.newSignal(signals[type]);
    if (typeof handle === 'number') throw systemError(handle, 'uv_signal_start');
    handle.onsignal = (number) => process.emit(type, type, number);
    active.set(type, handle);
  });
  process.on('removeListener', (type) => {
    if (active.has(type) && process.listenerCount(type) === 0) {
      native.close(active.get(type));
      active.delete(type);
    }
  });
}

function setupStreams() {
  for (const [name, fd] of [['stdin', 0], ['stdout', 1], ['stderr', 2]]) {
    let stream;
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => stream ??= require('internal/stdio').open(fd),
      set: (value) => { stream = value; },
    });
  }
}

function setup({ setHook }) {
  function Process() {}
  Object.setPrototypeOf(Process.prototype, EventEmitter.prototype);
  Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true });
  Object.setPrototypeOf(process, Object.create(Process.prototype, {
    constructor: { value: Process, writable: true, configurable: true },
  }));
  EventEmitter.call(process);
  setupIdentity();
  setupEnvironment();
  setupStreams();
  setupRejections(setHook);
  const lazySignals = process.on;
  let signalsReady = false;
  // Watching for signals starts with the first listener that could be one.
  process.on = process.addListener = function on(type, listener) {
    if (!signalsReady && typeof type === 'string' && type.startsWith('SIG')) {
      signalsReady = true;
      setupSignals();
    }
    return lazySignals.call(this, type, listener);
  };
  Object.assign(process, {
    nextTick: gate.nextTick, hrtime, cpuUsage, exit, reallyExit: native.exit, kill, emitWarning,
    abort: native.abort, uptime: native.uptime, setUncaughtExceptionCaptureCallback,
    hasUncaughtExceptionCaptureCallback: () => captureCallback !== null,
    resourceUsage: native.usage,
    cwd: () => native.cwd(),
    chdir(path) {
      validateString(path, 'directory');
      const from = native.cwd();
      try {
        native.chdir(path);
      } catch (error) {
        error.path = from;
        error.dest = path;
        error.message = error.message.replace(/ chdir .*/, ` chdir '${from}' -> '${path}'`);
        throw error;
      }
    },
    umask(mask) {
      if (typeof mask === 'string') {
        if (!/^[0-7]+$/.test(mask)) {
          throw invalidArgValue('mask', mask,
            'must be a 32-bit unsigned integer or an octal string');
        }
        mask = parseInt(mask, 8);
      }
      return native.umask(mask);
    },
    getuid: native.uid, geteuid: native.euid, getgid: native.gid, getegid: native.egid,
    binding() { throw new Error('No such module'); },
    getgroups: native.groups,
    constrainedMemory: native.constrainedMemory,
    availableMemory: native.availableMemory,
    allowedNodeEnvironmentFlags: new Set(),
    _exiting: false,
    getActiveResourcesInfo: () => [],
  });
  process.memoryUsage = () => native.memory();
  process.memoryUsage.rss = () => native.memory().rss;
  for (const name of ['on', 'addListener', 'nextTick']) {
    Object.defineProperty(process, name, { enumerable: false });
  }
  process.once('newListener', () => {});
  process.removeAllListeners('newListener');
  lazySignals.call(process, 'warning', printWarning);
  setHook('uncaught', onUncaught);
  setHook('beforeExit', () => {
    process.emit('beforeExit', checkedCode(process.exitCode) || 0);
  });
  setHook('exit', emitExit);
}

module.exports = { setup, queueMicrotask, onUncaught };
