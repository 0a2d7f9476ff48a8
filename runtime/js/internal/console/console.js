'use strict';
// console: text to standard output and standard error, written at once.

const native = binding('process');
let formatter;
const kinds = [];

// What needs no formatter, which most lines don't; undefined: it is not so simple.
function plainText(args) {
  let out = '';
  for (let i = 0; i < args.length; i++) {
    const value = args[i];
    const type = typeof value;
    const isSimple = type === 'string' ? i > 0 || args.length === 1 || !value.includes('%')
      : type === 'number' ? value !== 0 || 1 / value > 0
        : type === 'boolean' || value === undefined || value === null;
    if (!isSimple) return undefined;
    out += i > 0 ? ` ${value}` : value;
  }
  return out;
}

function format(fd, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  const isColorful = colorful(fd);
  const text = isColorful ? undefined : plainText(args);
  if (text !== undefined) return text;
  formatter ??= require('internal/inspect/format').formatWithOptions;
  return formatter({ colors: isColorful }, ...args);
}

function colorful(fd) {
  kinds[fd] ??= native.guessHandle(fd);
  if (kinds[fd] !== 'TTY' && process.env.FORCE_COLOR === undefined) return false;
  return require('internal/inspect/color_depth').colorDepth() > 2;
}

function opened(fd) {
  return require('internal/process/stdio').opened(fd);
}

let told = false;

// A reader that has gone is no news; output that is lost for another reason is.
function check(fd, status) {
  if (status >= 0 || told || native.errorName(status) === 'EPIPE') return;
  told = true;
  const name = fd === 1 ? 'standard output' : 'standard error';
  native.write(2, `phasor: ${name} could not be written: ${native.errorText(status)}\n`);
  process.exitCode ??= 1;
}

const kState = Symbol('console');
const nop = () => {};

function checkStream(stream, name) {
  if (typeof stream !== 'object' || stream === null || typeof stream.write !== 'function') {
    throw require('internal/errors/errors').withCode(TypeError, 'ERR_CONSOLE_WRITABLE_STREAM',
      `Console expects a writable stream instance for ${name}`);
  }
}

function checkColors({ colorMode = 'auto', inspectOptions }, given) {
  const errors = require('internal/errors/errors');
  const { validateObject } = require('internal/errors/validators');
  if (colorMode !== 'auto' && typeof colorMode !== 'boolean') {
    throw errors.invalidArgValue('colorMode', colorMode,
      "must be one of: 'auto', true, false");
  }
  if (inspectOptions === undefined) return;
  validateObject(inspectOptions, 'options.inspectOptions');
  if (inspectOptions.colors !== undefined && given.colorMode !== undefined) {
    throw errors.withCode(TypeError, 'ERR_INCOMPATIBLE_OPTION_PAIR',
      'Option "options.inspectOptions.color" cannot be used in combination with option ' +
      '"colorMode"');
  }
}

// The state of a console; streams that are numbers are our own standard output and error.
function makeState(console, given) {
  const { stdout, stderr = stdout, ignoreErrors = true, groupIndentation = 2 } = given;
  if (typeof stdout !== 'number') {
    checkStream(stdout, 'stdout');
    checkStream(stderr, 'stderr');
    checkColors(given, given);
    const { validateInteger } = require('internal/errors/validators');
    validateInteger(groupIndentation, 'groupIndentation', 0, 1000);
  }
  const hidden = (name, value) => Object.defineProperty(console, name,
    { value, writable: true, configurable: true, enumerable: false });
  hidden(kState, { stdout, stderr, ignoreErrors, step: groupIndentation, indent: '',
    counts: new Map(), colorMode: given.colorMode ?? 'auto',
    inspectOptions: given.inspectOptions });
  hidden('_times', new Map());
  hidden('_ignoreErrors', ignoreErrors);
  if (typeof stdout !== 'number') {
    hidden('_stdout', stdout);
    hidden('_stderr', stderr);
    return;
  }
  // A program may put other streams in the place of ours.
  for (const [name, key] of [['_stdout', 'stdout'], ['_stderr', 'stderr']]) {
    Object.defineProperty(console, name, {
      configurable: true,
      enumerable: false,
      get: () => process[key],
      set(value) { hidden(name, value); },
    });
  }
}

// One function for each stream: writes that end at once share a tick.
const afterWrites = new WeakMap();

function afterWriteOf(stream) {
  let after = afterWrites.get(stream);
  if (after === undefined) {
    after = (error) => {
      if (error !== null && error !== undefined && !stream._writableState?.errorEmitted) {
        if (stream.listenerCount?.('error') === 0) stream.once('error', nop);
      }
    };
    afterWrites.set(stream, after);
  }
  return after;
}

// Errors of the stream are of no interest to those who print, unless they said so.
function writeTo(stream, text, ignoreErrors) {
  if (!ignoreErrors) {
    stream.write(text);
    return;
  }
  stream.once?.('error', nop);
  try {
    stream.write(text, afterWriteOf(stream));
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) throw error;
  } finally {
    stream.removeListener?.('error', nop);
  }
}

function inspectOptionsOf(state, stream) {
  if (state.colorMode !== 'auto') return { ...state.inspectOptions, colors: state.colorMode };
  if (state.inspectOptions?.colors !== undefined) return state.inspectOptions;
  const { showsColors } = require('internal/inspect/color_depth');
  return { ...state.inspectOptions, colors: showsColors(stream) };
}

function write(console, key, args) {
  const state = console[kState];
  const target = state[key];
  const own = Object.getOwnPropertyDescriptor(console, `_${key}`);
  const replaced = typeof target === 'number' && own !== undefined && 'value' in own
    ? own.value : undefined;
  let text;
  if (typeof target === 'number' && replaced === undefined) {
    text = format(target, args);
  } else {
    const { formatWithOptions } = require('internal/inspect/format');
    text = formatWithOptions(inspectOptionsOf(state, replaced ?? console[`_${key}`]), ...args);
  }
  if (state.indent !== '') text = state.indent + text.replaceAll('\n', `\n${state.indent}`);
  text += '\n';
  if (typeof target !== 'number' || replaced !== undefined) {
    writeTo(replaced ?? console[`_${key}`], text, console._ignoreErrors !== false);
    return;
  }
  // A program that has its hands on the stream may have replaced write.
  const stream = opened(target);
  if (stream !== undefined) writeTo(stream, text, true);
  else check(target, native.write(target, text));
}

// As V8 and Node write it: "1:23.456 (m:ss.mmm)", "2.345s", "3.14ms".
function formatTime(ms) {
  let hours = 0;
  let minutes = 0;
  let seconds = 0;
  if (ms >= 1000) {
    if (ms >= 60000) {
      if (ms >= 3600000) {
        hours = Math.floor(ms / 3600000);
        ms %= 3600000;
      }
      minutes = Math.floor(ms / 60000);
      ms %= 60000;
    }
    seconds = ms / 1000;
  }
  if (hours !== 0 || minutes !== 0) {
    const [whole, fraction] = seconds.toFixed(3).split('.');
    const lead = hours !== 0 ? `${hours}:${`${minutes}`.padStart(2, '0')}` : `${minutes}`;
    return `${lead}:${whole.padStart(2, '0')}.${fraction} (${hours !== 0 ? 'h:m' : ''}m:ss.mmm)`;
  }
  return seconds !== 0 ? `${seconds.toFixed(3)}s` : `${Number(ms.toFixed(3))}ms`;
}

function tellTime(console, label, method, data) {
  const start = console._times.get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for console.${method}()`);
    return false;
  }
  const [seconds, nanoseconds] = process.hrtime(start);
  const milliseconds = seconds * 1e3 + nanoseconds / 1e6;
  if (method === 'timeEnd') native.mark(label, 2, milliseconds);
  const text = formatTime(milliseconds);
  if (data === undefined) console.log('%s: %s', label, text);
  else console.log('%s: %s', label, text, ...data);
  return true;
}

const methods = {
  log(...args) { write(this, 'stdout', args); },
  warn(...args) { write(this, 'stderr', args); },
  error(...args) { write(this, 'stderr', args); },
  dir(value, options) {
    const { inspect } = require('internal/inspect/inspect');
    const { stdout } = this[kState];
    const colors = typeof stdout === 'number' ? stdout === 1 && colorful(1)
      : inspectOptionsOf(this[kState], stdout).colors;
    write(this, 'stdout', [inspect(value, { customInspect: false, colors, ...options })]);
  },
  time(label = 'default') {
    const name = `${label}`;
    const { _times: times } = this;
    if (!times.has(name)) times.set(name, process.hrtime());
    else process.emitWarning(`Label '${name}' already exists for console.time()`);
  },
  timeEnd(label = 'default') {
    label = `${label}`;
    if (tellTime(this, label, 'timeEnd')) this._times.delete(label);
  },
  timeLog(label = 'default', ...data) { tellTime(this, `${label}`, 'timeLog', data); },
  trace(...args) {
    const error = { name: 'Trace', message: format(2, args) };
    Error.captureStackTrace(error, this.trace);
    this.error(error.stack);
  },
  assert(condition, ...args) {
    if (condition) return;
    args[0] = `Assertion failed${args.length === 0 ? '' : `: ${args[0]}`}`;
    this.warn(...args);
  },
  clear() {
    const stdout = this._stdout;
    if (!stdout.isTTY || process.env.TERM === 'dumb') return;
    const { cursorTo, clearScreenDown } = require('readline');
    cursorTo(stdout, 0, 0);
    clearScreenDown(stdout);
  },
  count(label = 'default') {
    label = `${label}`;
    const { counts } = this[kState];
    counts.set(label, (counts.get(label) || 0) + 1);
    this.log(`${label}: ${counts.get(label)}`);
  },
  countReset(label = 'default') {
    if (!this[kState].counts.delete(`${label}`)) {
      process.emitWarning(`Count for '${label}' does not exist`);
    }
  },
  group(...args) {
    if (args.length > 0) Reflect.apply(this.log, this, args);
    this[kState].indent += ' '.repeat(this[kState].step);
  },
  groupEnd() {
    const state = this[kState];
    state.indent = state.indent.slice(0, state.indent.length - state.step);
  },
  table(data, columns) {
    if (columns !== undefined) {
      require('internal/errors/validators').validateArray(columns, 'properties');
    }
    const text = require('internal/console/table').table(data, columns);
    if (text === undefined) this.log(data);
    else this.log(text);
  },
};
Object.assign(methods, { debug: methods.log, info: methods.log, dirxml: methods.log,
  groupCollapsed: methods.group });

function Console(options, ...rest) {
  if (!new.target) return Reflect.construct(Console, [options, ...rest]);
  if (!options || typeof options.write === 'function') {
    options = { stdout: options, stderr: rest[0], ignoreErrors: rest[1] ?? true };
  }
  setup(this, options);
}
Object.assign(Console.prototype, methods);
for (const name of Object.keys(methods)) {
  Object.defineProperty(Console.prototype, name, { enumerable: true });
}

// Methods work without their object: [1].forEach(console.log)
function setup(console, options) {
  makeState(console, options);
  for (const name of Object.keys(methods)) {
    const bound = (console[name] === methods[name] ? methods[name] : console[name]).bind(console);
    Object.defineProperty(bound, 'name', { value: name });
    Object.defineProperty(console, name,
      { value: bound, writable: true, configurable: true, enumerable: true });
  }
}

const console = Object.create({});
setup(Object.setPrototypeOf(console, Console.prototype), { stdout: 1, stderr: 2 });
Object.setPrototypeOf(console, {});
console.Console = Console;
Object.assign(console, { profile() {}, profileEnd() {}, timeStamp() {}, context() {} });
Object.defineProperty(Console, Symbol.hasInstance, {
  value(instance) {
    return instance !== null && typeof instance === 'object' && instance[kState] !== undefined;
  },
});
Object.defineProperty(console, Symbol.toStringTag,
  { value: 'console', configurable: true, writable: false, enumerable: false });
module.exports = { console, Console, check, colorful, formatTime };
