'use strict';
const told = require('internal/diagnostics/told_channels');
const EventEmitter = require('events');
const net = require('net');
const native = binding('child');
const streams = binding('stream');
const { signalNumber, withoutNull, checkOptions, checkMaxBuffer, toPairs, shellCommand } =
  require('internal/child/options');
const { stdioList } = require('internal/child/stdio');
const low = require('internal/child/sync'); // what is put there in place of it is called

const { signalNames } = low;
const { AbortError, invalidArgType, invalidArgValue, systemError, withCode } =
  require('internal/errors/errors');
const { validateArray, validateFunction, validateObject, validateOneOf, validateString,
  validateAbortSignal } = require('internal/errors/validators');

function normalize(file, args, options) {
  validateString(file, 'file');
  if (file.length === 0) throw invalidArgValue('file', file, 'cannot be empty');
  if (!Array.isArray(args)) {
    if (args !== undefined && args !== null && typeof args === 'object') options = args;
    else if (args !== undefined && args !== null) throw invalidArgType('args', 'object', args);
    args = [];
  }
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  options = { __proto__: null, ...options }; // what Object.prototype has does not count
  checkOptions(options);
  withoutNull(file, 'file');
  args.forEach((one, i) => withoutNull(one, `args[${i}]`));
  let list = [options.argv0 ?? file, ...args.map((one) => `${one}`)];
  let isVerbatim = Boolean(options.windowsVerbatimArguments);
  if (options.shell) {
    list = shellCommand(options.shell, [file, ...args].join(' '));
    if (list[1] === '/d') isVerbatim = true;
    [file] = list;
  }
  const pairs = toPairs(options.env || process.env);
  let { cwd } = options;
  if (cwd === null || cwd === '') cwd = undefined;
  if (cwd !== undefined) cwd = require('internal/fs/util').toTextPath(cwd, 'options.cwd');
  return { __proto__: null, ...options, file, args: list, envPairs: pairs, cwd,
    detached: Boolean(options.detached), windowsHide: Boolean(options.windowsHide),
    windowsVerbatimArguments: isVerbatim };
}

class ChildProcess extends EventEmitter {
  constructor() {
    super();
    told.child_process?.publish({ process: this });
    Object.assign(this, {
      _closesNeeded: 1, _closesGot: 0, connected: false, signalCode: null, exitCode: null,
      killed: false, spawnfile: null, _handle: null,
    });
  }

  _closed() {
    if (++this._closesGot === this._closesNeeded)
      this.emit('close', this.exitCode, this.signalCode);
  }

  _spawn(options) {
    const { file, args, cwd, serialization } = options;
    const env = [...options.envPairs ?? toPairs(process.env)];
    const list = stdioList(options.stdio);
    const ipc = list.indexOf('ipc');
    if (ipc !== -1) env.push(`NODE_CHANNEL_FD=${ipc}`);
    if (ipc !== -1 && serialization) env.push(`NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
    const handles = list.map((one) => {
      if (one === 'pipe') return streams.newPipe(0);
      if (one === 'ipc') return streams.newPipe(1);
      return typeof one === 'number' ? one : null;
    });
    this.spawnfile = file;
    this.spawnargs = args;
    const handle = native.spawn({ file, args, env, cwd, stdio: handles, uid: options.uid,
      gid: options.gid, detached: Boolean(options.detached) });
    const failed = typeof handle === 'number';
    if (failed) {
      if (![-2, -13, -11, -24, -23, -8].includes(handle)) {
        for (const one of handles) if (one !== null && typeof one === 'object') streams.close(one);
        throw this._error(handle, 'spawn');
      }
      process.nextTick(() => this._onExit(handle < 0 ? handle : -1, 0));
      if (handle === -24 || handle === -23) {
        for (const one of handles) if (one !== null && typeof one === 'object') streams.close(one);
        return;
      }
    } else {
      this._handle = handle;
      this.pid = handle.pid;
      handle.onexit = (code, signal) => this._onExit(code, signal);
      process.nextTick(() => this.emit('spawn'));
    }
    this.stdio = list.map((one, i) => {
      if (one !== 'pipe') return null;
      const socket = new net._Socket({ handle: handles[i],
        manualStart: true, readable: i !== 0, writable: i === 0 || i > 2 });
      if (failed) socket._isReading = true; // there is nothing to read
      if (i !== 0) {
        this._closesNeeded++;
        socket.on('close', () => this._closed());
        socket.on('end', () => {});
      }
      return socket;
    });
    [this.stdin, this.stdout, this.stderr] = this.stdio;
    if (ipc !== -1 && failed) streams.close(handles[ipc]);
    else if (ipc !== -1) require('internal/child/ipc').attach(this, handles[ipc], serialization);
  }

  _error(status, syscall) {
    const error = systemError(status, `${syscall} ${this.spawnfile}`);
    error.path = this.spawnfile;
    error.spawnargs = this.spawnargs.slice(1);
    return error;
  }

  _onExit(code, signal) {
    if (signal) this.signalCode = signalNames[signal] ?? null;
    else this.exitCode = code;
    if (this.stdin) this.stdin.destroy();
    if (this._handle) native.close(this._handle);
    this._handle = null;
    if (code < 0) {
      const error = this._error(code, 'spawn');
      this.emit('error', error);
    } else {
      this.emit('exit', this.exitCode, this.signalCode);
    }
    // Output that nobody reads must not keep the streams open.
    process.nextTick(() => {
      if (code < 0) queueMicrotask(() => this._endOutputs());
      for (const stream of this.stdio ?? []) {
        if (stream && stream.readable && stream.readableFlowing === null &&
            !stream._readableState.readableListening) stream.resume();
      }
    });
    this._closed();
  }

  // Nothing was started: there is nothing to read.
  _endOutputs() {
    for (const stream of this.stdio ?? []) if (stream?.readable) stream.push(null);
  }

  kill(signal = 'SIGTERM') {
    const number = signal === 0 ? 0 : signalNumber(signal);
    if (this._handle) {
      const status = native.kill(this._handle, number);
      if (status === 0) {
        this.killed = true;
        return true;
      }
      if (status !== -3) this.emit('error', systemError(status, 'kill'));
    }
    return false;
  }

  ref() { if (this._handle) native.ref(this._handle); }

  unref() { if (this._handle) native.unref(this._handle); }

  [Symbol.dispose]() { if (!this.killed) this.kill(); }

  // What spawn() does, for those who made the object themselves.
  spawn(options) {
    validateObject(options, 'options');
    validateOneOf(options.serialization, 'options.serialization',
      [undefined, 'json', 'advanced']);
    const { envPairs, args, file, stdio } = options;
    if (stdio?.includes?.('ipc') && envPairs !== undefined) {
      validateArray(envPairs, 'options.envPairs');
    }
    validateString(file, 'options.file');
    if (args !== undefined) validateArray(args, 'options.args');
    this._spawn({ __proto__: null, ...options, args: args ?? [file] });
    return this._handle ? 0 : -1;
  }
}

function spawn(file, args, options) {
  const all = normalize(file, args, options);
  validateAbortSignal(all.signal ?? undefined, 'options.signal');
  const child = new ChildProcess();
  child.spawn(all);
  const { timeout, signal, killSignal } = all;
  if (timeout > 0) {
    const timer = setTimeout(() => child.kill(killSignal ?? 'SIGTERM'), timeout);
    child.once('exit', () => clearTimeout(timer));
  }
  if (signal) {
    const onAbort = () => {
      child.kill(killSignal ?? 'SIGTERM');
      child.emit('error', new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) process.nextTick(onAbort);
    else {
      signal.addEventListener('abort', onAbort, { once: true });
      child.once('exit', () => signal.removeEventListener('abort', onAbort));
    }
  }
  return child;
}

function readExecArguments(args, options, callback) {
  if (args === undefined || args === null) {
    args = [];
  } else if (!Array.isArray(args)) {
    callback = callback ?? options;
    options = args;
    args = [];
  }
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  if (callback !== undefined && callback !== null) validateFunction(callback, 'callback');
  options = { __proto__: null, encoding: 'utf8', timeout: 0, maxBuffer: 1024 * 1024,
    killSignal: 'SIGTERM', ...options };
  for (const name of ['stdio', 'detached']) delete options[name];
  for (const name of ['windowsHide', 'windowsVerbatimArguments']) {
    options[name] = Boolean(options[name]);
  }
  checkOptions(options);
  checkMaxBuffer(options.maxBuffer);
  return [args, options, callback];
}

// Keeps what the child prints, and tells when that is too much. Gives a function from the name of
// an output to what it was.
function gather(child, { maxBuffer, encoding }, onTooMuch) {
  const parts = { stdout: [], stderr: [] };
  const sizes = { stdout: 0, stderr: 0 };
  const isText = Boolean(encoding) && encoding !== 'buffer' && Buffer.isEncoding(encoding);
  for (const name of ['stdout', 'stderr']) {
    if (!child[name]) continue;
    if (isText) child[name].setEncoding(encoding);
    child[name].on('data', (chunk) => {
      const { readableEncoding } = child[name];
      const length = readableEncoding ? Buffer.byteLength(chunk, readableEncoding) : chunk.length;
      sizes[name] += length;
      if (sizes[name] > maxBuffer) {
        parts[name].push(chunk.slice(0, maxBuffer - (sizes[name] - length)));
        onTooMuch(withCode(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER',
          `${name} maxBuffer length exceeded`));
      } else {
        parts[name].push(chunk);
      }
    });
  }
  return (name) => (isText || child[name]?.readableEncoding ? parts[name].join('')
    : Buffer.concat(parts[name]));
}

function commandFailed(command, code, signal, killed, text) {
  const failure = new Error(`Command failed: ${command}\n${text}`);
  failure.code = code < 0 ? binding('process').errorName(code) : code;
  failure.killed = killed;
  failure.signal = signal;
  return failure;
}

function execFile(file, given, options, callback) {
  let args;
  [args, options, callback] = readExecArguments(given, options, callback);
  const child = spawn(file, args, { ...options, timeout: 0 });
  let failure = null;
  let killed = false;
  const closeOutputs = () => {
    for (const name of ['stdout', 'stderr']) if (child[name]) child[name].destroy();
  };
  const kill = () => {
    killed = true;
    closeOutputs();
    try {
      child.kill(options.killSignal);
    } catch (error) {
      failure ??= error;
      finish(-1, null);
    }
  };
  let timer;
  if (options.timeout > 0) timer = setTimeout(kill, options.timeout);
  const text = gather(child, options, (error) => {
    kill();
    failure = error;
  });
  let over = false;
  const finish = (code, signal) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    const out = text('stdout');
    const err = text('stderr');
    if (!failure && code === 0 && signal === null) {
      if (callback) callback(null, out, err);
      return;
    }
    const command = [file, ...args].join(' ');
    failure ??= commandFailed(options.shell && args.length === 0 ? file : command, code, signal,
      child.killed || killed, err);
    failure.cmd = options.shell ? file : command;
    failure.stdout = out;
    failure.stderr = err;
    if (callback) callback(failure, out, err);
  };
  child.on('close', finish);
  child.on('error', (error) => {
    failure = error;
    closeOutputs();
    finish(-1, null);
  });
  return child;
}

function checkCommand(command) {
  validateString(command, 'command');
  withoutNull(command, 'command');
}

function exec(command, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  checkCommand(command);
  options = { __proto__: null, ...options };
  options.shell ||= true;
  return execFile(command, [], options, callback);
}

const { promisify } = require('util');
for (const call of [exec, execFile]) {
  Object.defineProperty(call, promisify.custom, {
    value: (...args) => {
      const settle = {};
      const promise = new Promise((resolve, reject) => {
        Object.assign(settle, { resolve, reject });
      });
      const child = call(...args, (error, stdout, stderr) => {
        if (error) settle.reject(Object.assign(error, { stdout, stderr }));
        else settle.resolve({ stdout, stderr });
      });
      promise.child = child;
      return promise;
    },
  });
}

function spawnSync(file, args, options) {
  const all = { __proto__: null, maxBuffer: 1024 * 1024, ...normalize(file, args, options) };
  checkMaxBuffer(all.maxBuffer);
  const { input } = all;
  if (input !== undefined && input !== null && typeof input !== 'string' &&
      !ArrayBuffer.isView(input)) {
    throw invalidArgType('options.stdio[0]',
      ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  }
  if (all.killSignal) all.killSignal = signalNumber(all.killSignal);
  return low.spawnSync(all);
}

function checked(result, command) {
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const error = new Error(`Command failed: ${command}${
    result.stderr && result.stderr.length ? `\n${result.stderr.toString()}` : ''}`);
  throw Object.assign(error, result);
}

function execFileSync(file, args, options) {
  const list = Array.isArray(args) ? args : [];
  const given = Array.isArray(args) ? options : args;
  const inheritErrors = !given?.stdio;
  const result = spawnSync(file, list, given);
  if (inheritErrors && result.stderr) process.stderr.write(result.stderr);
  return checked(result, [file, ...list].join(' '));
}

function execSync(command, options) {
  checkCommand(command);
  const result = spawnSync(command, { shell: true, ...options });
  if (!options?.stdio && result.stderr) process.stderr.write(result.stderr);
  return checked(result, command);
}

function forkStdio({ stdio, silent }) {
  if (typeof stdio === 'string') return [...stdioList(stdio), 'ipc'];
  if (!Array.isArray(stdio)) return silent ? ['pipe', 'pipe', 'pipe', 'ipc'] : [0, 1, 2, 'ipc'];
  if (!stdio.includes('ipc')) {
    throw withCode(Error, 'ERR_CHILD_PROCESS_IPC_REQUIRED',
      "Forked processes must have an IPC channel, missing value 'ipc' in options.stdio");
  }
  return stdio;
}

// The options of this process, without the code that it was given.
function ownArguments() {
  const at = process._eval === undefined ? -1 : process.execArgv.lastIndexOf(process._eval);
  return at > 0 ? process.execArgv.toSpliced(at - 1, 2) : process.execArgv;
}

function fork(file, args, options) {
  file = require('internal/fs/util').toTextPath(file, 'modulePath');
  if (args === undefined || args === null) args = [];
  else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options !== undefined && options !== null) validateObject(options, 'options');
  options = { __proto__: null, ...options };
  const execArgv = options.execArgv || ownArguments();
  validateArray(execArgv, 'options.execArgv');
  return spawn(options.execPath || process.execPath, [...execArgv, `${file}`, ...args],
    { ...options, stdio: forkStdio(options), shell: false });
}

module.exports = {
  ChildProcess, spawn, exec, execFile, spawnSync, execFileSync, execSync, fork,
};
