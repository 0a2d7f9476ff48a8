'use strict';
// The worker's side: sets the thread up and runs its program.

const { MessagePort, kReceive, native } = require('internal/messages/port');
const { withCode } = require('internal/errors/errors');

const REFUSED = ['abort', 'chdir', 'setuid', 'seteuid', 'setgid', 'setegid',
  'setgroups', 'initgroups'];
const MEGABYTE = 1024 * 1024;
let own; // the port to the parent
let isLimited = false; // in its memory

function refuse(what) {
  return withCode(TypeError, 'ERR_WORKER_UNSUPPORTED_OPERATION',
    `${what} is not supported in workers`);
}

// What belongs to the whole process can't be changed from here.
function limitProcess() {
  const hasChannel = process.env.NODE_CHANNEL_FD !== undefined;
  for (const name of hasChannel ? [...REFUSED, 'send', 'disconnect'] : REFUSED) {
    const refused = () => { throw refuse(`process.${name}()`); };
    refused.disabled = true;
    process[name] = refused;
  }
  // Programs ask by these names whether they were forked: without a channel they are not there.
  for (const name of hasChannel ? ['channel', 'connected'] : []) {
    Object.defineProperty(process, name, { configurable: true, enumerable: false,
      get() { throw refuse(`process.${name}`); }, set() {} });
  }
  const { title, debugPort, umask } = process;
  Object.defineProperties(process, {
    title: { get: () => title, set() {}, configurable: true, enumerable: true },
    debugPort: { get: () => debugPort, set() {}, configurable: true, enumerable: true },
  });
  for (const name of ['_debugProcess', '_debugEnd']) delete process[name];
  process.umask = (mask) => {
    if (mask !== undefined) throw refuse('Setting process.umask()');
    return umask();
  };
}

function sendHeap(control, options) {
  const bytes = require('internal/v8/heap_snapshot').take(options);
  control.postMessage({ kind: 'heap', bytes });
}

// The streams talk to the parent; all that prints uses them.
function makeStreams(control, hasStdin) {
  const { ReadableStdio, WritableStdio } = require('internal/worker/stdio');
  const stdin = new ReadableStdio(control, 'stdin', true);
  const stdout = new WritableStdio(control, 'stdout');
  const stderr = new WritableStdio(control, 'stderr');
  if (!hasStdin) stdin.push(null);
  stdin.fd = 0;
  stdout.fd = 1;
  stderr.fd = 2;
  require('internal/process/stdio').replace([stdin, stdout, stderr]);
  const streams = { stdin, stdout, stderr };
  control.on('message', ({ kind, stream, chunks, options }) => {
    if (kind === 'stdio') streams[stream].take(chunks);
    else if (kind === 'wants') streams[stream].goOn();
    else if (kind === 'heap') sendHeap(control, options);
  });
  control.unref();
  process.on('exit', () => {
    stdout.goOn();
    stderr.goOn();
  });
}

function outOfMemory() {
  return withCode(Error, 'ERR_WORKER_OUT_OF_MEMORY',
    'Worker terminated due to reaching memory limit: JS heap out of memory');
}

// Where there is no memory for an error, the engine throws null, or one without its message.
function isOutOfMemory(error) {
  if (error === null) return isLimited;
  return error?.name === 'InternalError' &&
    (/out of memory/.test(error.message) || (isLimited && error.message === ''));
}

function tellOf(control) {
  return (error) => {
    if (isLimited) native.limitMemory(0); // the worker ends, and telling of it needs memory, too
    const isFull = isOutOfMemory(error);
    if (isFull) require('internal/v8/heap_snapshot').onLimit();
    const packed = require('internal/messages/errors').pack(isFull ? outOfMemory() : error);
    control.postMessage({ kind: 'error', error: packed });
  };
}

function limit(threads, limits) {
  threads.resourceLimits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 4144,
    codeRangeSizeMb: 0, stackSizeMb: 4, ...limits };
  const { maxOldGenerationSizeMb: old, maxYoungGenerationSizeMb: young = 0 } = limits ?? {};
  isLimited = old > 0;
  if (isLimited) native.limitMemory((old + young) * MEGABYTE);
  if (limits?.stackSizeMb > 0) native.limitStack(limits.stackSizeMb * MEGABYTE);
}

function start([json, portId, , box]) {
  const options = JSON.parse(json);
  const control = own = new MessagePort(portId);
  const { message } = control[kReceive]();
  if (options.hooks) {
    require('internal/esm/loader_hooks_thread').start(control, message);
    return;
  }
  const threads = require('worker_threads');
  threads.workerData = message.data;
  threads.parentPort = message.port;
  for (const [key, value] of message.environment) threads.setEnvironmentData(key, value);
  process.argv = [process.execPath, options.eval ? '[worker eval]' : options.file, ...options.argv];
  const { makeEnvironment, shareEnvironment } = require('internal/process/process');
  if (options.env === undefined) shareEnvironment();
  else process.env = makeEnvironment(options.env, () => {});
  limitProcess();
  if (binding('permission').isOn()) require('internal/process/permission').expose();
  makeStreams(control, options.hasStdin);
  if (options.keepsFiles) native.keepFiles();
  if (options.hasGc) globalThis.gc = binding('process').gc;
  const { openBox, INSPECTED } = require('internal/worker/messaging');
  openBox(box);
  const tell = require('internal/process/fatal_error').printFatal = tellOf(control);
  if (options.resourceLimits?.maxOldGenerationSizeMb === 0) {
    tell(outOfMemory()); // nothing runs in no memory at all
    process.exitCode = 1;
    return;
  }
  limit(threads, options.resourceLimits);
  if (native.hasGroup(INSPECTED)) require('internal/inspector/workers').announce(true);
  control.postMessage({ kind: 'online' });
  if (process.env.NODE_V8_COVERAGE)
    require('internal/coverage/files').start(process.env.NODE_V8_COVERAGE);
  const main = require('internal/boot/main');
  const given = main.parse(options.execArgv);
  const start = () => run(main, options, given);
  if (given.loadsFirst) require('internal/boot/first').load(given, start);
  else start();
}

function run(main, options, { inputType, defaultType }) {
  if (options.eval) {
    main.runCode(options.file, '[worker eval]', { inputType, defaultType });
  } else if (options.file.startsWith('data:')) {
    main.runModule(() => import(options.file));
  } else {
    main.runFile(options.file);
  }
}

module.exports = { start, control: () => own };
