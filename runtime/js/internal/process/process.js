'use strict';
// The process object, and what happens to errors that nobody catches.

const native = binding('process');
const gate = binding('gate');
const EventEmitter = require('events');
const { invalidArgType, invalidArgValue, outOfRange, withCode, systemError } =
  require('internal/errors/errors');
const { validateInteger, validateString } = require('internal/errors/validators');

function setupIdentity() {
  const raw = native.arguments();
  process.argv0 = raw[0];
  process.execPath = native.executable();
  process.execArgv = [];
  process.argv = [process.execPath, ...raw.slice(1)];
  process.title = 'phasor';
  process.pid = native.pid();
  Object.defineProperty(process, 'ppid', { enumerable: true, get: () => native.ppid() });
  process.arch = require('internal/process/arch');
  process.platform = 'linux';
  process.version = 'v20.20.2';
  // The engine is another one; programs ask for the number of Node's.
  process.versions = { node: '20.20.2', v8: '11.3.244.8-node.38', ...native.versions,
    modules: '115', napi: '9' };
  process.release = { name: 'node', lts: 'Iron' };
  const hasTls = native.versions.openssl !== undefined;
  process.features = { inspector: true, debug: false, uv: true, ipv6: true, tls_alpn: hasTls,
    tls_sni: hasTls, tls_ocsp: hasTls, tls: hasTls, cached_builtins: true, require_module: true };
  let exitCode;
  Object.defineProperty(process, 'exitCode', {
    configurable: false,
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
  Object.defineProperty(process, 'title', {
    enumerable: true,
    configurable: true,
    get: () => native.title(),
    set: (text) => native.title(String(text)),
  });
}

const isPlain = (value) => ['string', 'number', 'boolean'].includes(typeof value);
let isValueTold = false;

function warnOfValue() {
  if (isValueTold || process.execArgv.length === 0 ||
      require('internal/boot/options').isOn('pending-deprecation') !== true) return;
  isValueTold = true;
  process.emitWarning('Assigning any value other than a string, number, or boolean to a ' +
    'process.env property is deprecated. Please make sure to convert the value to a string ' +
    'before setting process.env with it.', 'DeprecationWarning', 'DEP0104');
}

// A variable may be called "__proto__".
function setVariable(target, name, value) {
  Object.defineProperty(target, name,
    { value, writable: true, enumerable: true, configurable: true });
}

// Values are text; `write` is told of every change.
function makeEnvironment(values, write) {
  return new Proxy(values, {
    set(target, name, value) {
      if (typeof name === 'symbol' || typeof value === 'symbol') {
        throw new TypeError('Cannot convert a Symbol value to a string');
      }
      if (name === '') return true; // no variable is called that
      if (!isPlain(value)) warnOfValue();
      setVariable(target, name, `${value}`);
      write(name, `${value}`);
      return true;
    },
    deleteProperty(target, name) {
      delete target[name];
      if (typeof name === 'string') write(name, undefined);
      return true;
    },
    defineProperty(target, name, descriptor) {
      if ('get' in descriptor || 'set' in descriptor) {
        throw withCode(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' does not accept an accessor(getter/setter) descriptor");
      }
      if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
        throw withCode(TypeError, 'ERR_INVALID_OBJECT_DEFINE_PROPERTY',
          "'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      }
      if ('value' in descriptor) {
        setVariable(target, name, `${descriptor.value}`);
        write(name, `${descriptor.value}`);
      }
      return true;
    },
  });
}

// Reads and writes reach the real environment.
function setupEnvironment() {
  process.env = makeEnvironment(native.environment(), native.setEnvironment);
}

// What the process was when it was prepared is another now.
function begin() {
  process.pid = native.pid();
  setupEnvironment();
}

let isShared = false;

// From now on other threads change it, too: every look at it is a new one.
function shareEnvironment() {
  if (isShared) return;
  isShared = true;
  const known = makeEnvironment({}, native.setEnvironment);
  const look = () => native.environment();
  process.env = new Proxy(known, {
    get: (target, name) => look()[name],
    has: (target, name) => name in look(),
    ownKeys: () => Reflect.ownKeys(look()),
    getOwnPropertyDescriptor: (target, name) => Object.getOwnPropertyDescriptor(look(), name),
  });
}

function hrtime(since) {
  const pair = native.hrtimePair();
  if (since === undefined) return pair;
  if (!Array.isArray(since)) throw invalidArgType('time', 'Array', since);
  if (since.length !== 2) throw outOfRange('time', 2, since.length);
  let seconds = pair[0] - since[0];
  let nanoseconds = pair[1] - since[1];
  if (nanoseconds < 0) {
    seconds--;
    nanoseconds += 1e9;
  }
  return [seconds, nanoseconds];
}
hrtime.bigint = () => native.hrtimeBigint();

function checkUsage(since) {
  require('internal/errors/validators').validateObject(since, 'prevValue');
  for (const name of ['user', 'system']) {
    if (typeof since[name] !== 'number') {
      throw invalidArgType(`prevValue.${name}`, 'number', since[name]);
    }
    if (!(since[name] >= 0 && since[name] <= Number.MAX_SAFE_INTEGER)) {
      throw withCode(RangeError, 'ERR_INVALID_ARG_VALUE',
        `The property 'prevValue.${name}' is invalid. Received ${since[name]}`);
    }
  }
}

function cpuUsage(since) {
  if (since) checkUsage(since);
  const now = native.usage();
  const user = now.userCPUTime - (since ? since.user : 0);
  return { user, system: now.systemCPUTime - (since ? since.system : 0) };
}

let exiting = false;
// What the inspector wants to hear: onUncaught(error), and the end of it all; what writes reports;
// serve(): what clients and workers have sent it is read now.
const inspected = { onUncaught: undefined, endings: [], report: undefined, serve: undefined };
const tellEnd = () => { for (const tell of inspected.endings) tell(); };

function checkedCode(code) {
  if (code === undefined || code === null) return undefined;
  return typeof code === 'string' ? Number(code) : code;
}

let mainIsWaiting = false;

// The main module has started; it calls what this gives when it is settled.
function awaitMain() {
  mainIsWaiting = true;
  return () => { mainIsWaiting = false; };
}

let ending; // after the listeners of 'exit'

function atEnd(work) { ending = work; }

function emitExit() {
  if (!exiting) {
    exiting = true;
    process._exiting = true;
    process.emit('exit', checkedCode(process.exitCode) || 0);
  }
  ending?.();
  return (checkedCode(process.exitCode) || 0) & 255;
}

// There is nothing left to do.
function end() {
  if (exiting) return emitExit();
  exiting = true;
  process._exiting = true;
  const code = checkedCode(process.exitCode) || 0;
  // A main module that still awaits will never go on; listeners see both, as in Node.
  if (mainIsWaiting && process.exitCode === undefined) process.exitCode = 13;
  process.emit('exit', code);
  tellEnd();
  return emitExit();
}

function exit(code) {
  if (code !== undefined) process.exitCode = code;
  const status = emitExit();
  tellEnd();
  process.reallyExit(status);
  // Programs may replace reallyExit, for tests; then this one is left to them.
}

function kill(pid, signal) {
  // eslint-disable-next-line eqeqeq
  if (pid != (pid | 0)) throw invalidArgType('pid', 'number', pid);
  const { signals } = require('internal/system/constants');
  const number = typeof signal === 'number' ? signal : signals[signal || 'SIGTERM'];
  if (number === undefined) {
    throw withCode(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${signal}`);
  }
  const status = process._kill(pid | 0, number);
  if (status) throw systemError(status, 'kill');
  return true;
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') throw invalidArgType('callback', 'function', callback);
  gate.enqueueMicrotask(callback);
}

// The last error that nobody caught, and where it was thrown, as the engine knew that before
// anything else ran.
const lastThrow = { error: undefined, place: undefined };

// True if someone took the error; else it is printed and the process ends.
function onUncaught(error, origin) {
  const type = origin === true ? 'unhandledRejection' : 'uncaughtException';
  lastThrow.error = error;
  lastThrow.place = native.thrownAt(error);
  inspected.onUncaught?.(error);
  try {
    if (process.listenerCount('uncaughtExceptionMonitor') > 0) {
      process.emit('uncaughtExceptionMonitor', error, type);
    }
    if (require('internal/process/capture').take(error)) return true;
    if (process.execArgv.length > 0 && binding('worker').startData() === undefined &&
        require('internal/boot/options').isOn('abort-on-uncaught-exception')) {
      require('internal/process/fatal_error').printFatal(error);
      native.abort();
    }
    if (process.emit('uncaughtException', error, type)) return true;
  } catch (second) {
    require('internal/process/fatal_error').printFatal(second);
    if (require('internal/boot/options').isOn('abort-on-uncaught-exception')) native.abort();
    native.exit(binding('worker').startData() === undefined ? 7 : 1);
  }
  inspected.report?.(error);
  require('internal/process/fatal_error').printFatal(error);
  try {
    if (!exiting) {
      exiting = true;
      process.exitCode = 1;
      process.emit('exit', 1);
    }
  } catch {
    // Nothing more can be done for it.
  }
  tellEnd();
  ending?.();
  native.exit(process.exitCode === undefined ? 1 : process.exitCode & 255);
  return false;
}

// Programs may put another function in the place of ours.
function takeUncaught(error, origin) {
  const { _fatalException: take } = process;
  if (take === onUncaught) return onUncaught(error, origin);
  if (typeof take === 'function' && take(error, origin)) return true;
  if (binding('worker').startData() === undefined) {
    require('internal/process/fatal_error').printFatal(error);
  }
  native.exit(6);
  return false;
}

function setupSignals() {
  const { signals } = require('internal/system/constants');
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
      get: () => stream ??= require('internal/process/stdio').open(fd),
      set: (value) => { stream = value; },
    });
  }
}

function emitWarning(...args) {
  require('internal/process/warnings').emitWarning(emitWarning, ...args);
}

// Functions that few programs call load when they are called.
const MORE = ['setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups', 'getgroups',
  'assert', 'getActiveResourcesInfo', 'getBuiltinModule', 'openStdin', 'loadEnvFile',
  'setSourceMapsEnabled', 'dlopen', '_debugProcess', '_debugEnd'];
const HIDDEN = ['_rawDebug', '_getActiveHandles', '_getActiveRequests'];
const FIXED = new Set(['config', 'sourceMapsEnabled', 'report']); // values that programs can't set
const VALUES = ['config', 'debugPort', 'sourceMapsEnabled', 'allowedNodeEnvironmentFlags',
  'moduleLoadList', 'report'];

function setupMore() {
  Object.defineProperty(process, '_fatalException',
    { value: onUncaught, writable: true, configurable: true, enumerable: false });
  const more = () => require('internal/process/on_demand');
  const later = (name) => ({ [name](...args) { return more().functions[name](...args); } })[name];
  for (const name of MORE) process[name] = later(name);
  for (const name of HIDDEN) {
    Object.defineProperty(process, name,
      { value: later(name), writable: true, configurable: true, enumerable: false });
  }
  for (const name of VALUES) {
    let given;
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => given ?? more().values[name](),
      set: FIXED.has(name) ? undefined : (value) => {
        given = name === 'debugPort' ? more().portOf(value) : value;
      },
    });
  }
  process.domain = null;
}

function chdir(path) {
  validateString(path, 'directory');
  try {
    native.chdir(path);
  } catch (error) {
    const from = native.cwd();
    error.path = from;
    error.dest = path;
    error.message = error.message.replace(/ chdir .*/, ` chdir '${from}' -> '${path}'`);
    throw error;
  }
}

function umask(mask) {
  if (mask !== undefined && typeof mask !== 'string') {
    require('internal/errors/validators').validateUint32(mask, 'mask');
  }
  if (typeof mask === 'string') {
    if (!/^[0-7]+$/.test(mask)) {
      throw invalidArgValue('mask', mask, 'must be a 32-bit unsigned integer or an octal string');
    }
    mask = parseInt(mask, 8);
  }
  return native.umask(mask);
}

function onLoopEnd() {
  process.emit('beforeExit', checkedCode(process.exitCode) || 0);
}

function setup({ setHook }) {
  const Process = function process() {};
  Object.setPrototypeOf(Process.prototype, EventEmitter.prototype);
  Object.defineProperty(process, Symbol.toStringTag,
    { value: 'process', writable: true, configurable: false });
  Object.setPrototypeOf(process, Object.create(Process.prototype, {
    constructor: { value: Process, writable: true, configurable: true },
  }));
  EventEmitter.call(process);
  setupIdentity();
  setupEnvironment();
  setupStreams();
  // Nothing is loaded where a promise is rejected: the stack may be full there.
  const first = new Map();
  setHook('rejection', (isHandled, promise, reason) => {
    if (isHandled) first.delete(promise);
    else first.set(promise, [reason, gate.getContext()]);
  });
  setHook('rejections', () =>
    require('internal/process/rejections').setup(setHook, onUncaught)(first));
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
    abort: native.abort, uptime: native.uptime,
    setUncaughtExceptionCaptureCallback: (fn) => require('internal/process/capture').set(fn),
    hasUncaughtExceptionCaptureCallback: () => require('internal/process/capture').isSet(),
    resourceUsage: native.usage,
    cwd: () => native.cwd(),
    chdir,
    umask, _kill: native.kill,
    getuid: native.uid, geteuid: native.euid, getgid: native.gid, getegid: native.egid,
    binding: (name) => require('internal/process/binding')(name),
    constrainedMemory: native.constrainedMemory,
    availableMemory: native.availableMemory,
    _exiting: false,
  });
  setupMore();
  process.memoryUsage = () => native.memory();
  process.memoryUsage.rss = () => native.memory().rss;
  for (const name of ['on', 'addListener']) {
    Object.defineProperty(process, name, { enumerable: false });
  }
  process.once('newListener', () => {});
  process.removeAllListeners('newListener');
  lazySignals.call(process, 'warning', (warning) => {
    require('internal/process/warnings').printWarning(warning);
  });
  setHook('uncaught', takeUncaught);
  setHook('beforeExit', onLoopEnd);
  setHook('exit', end);
}

module.exports = { setup, begin, queueMicrotask, onUncaught, awaitMain, inspected, makeEnvironment,
  shareEnvironment, atEnd, lastThrow };
