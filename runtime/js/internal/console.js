'use strict';
// console: text to standard output and standard error, written at once.

const native = binding('process');
let formatter;
const kinds = [];

function format(fd, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  formatter ??= require('internal/format').formatWithOptions;
  return formatter({ colors: colorful(fd) }, ...args);
}

function colorful(fd) {
  kinds[fd] ??= native.guessHandle(fd);
  return kinds[fd] === 'TTY' && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

function opened(fd) {
  return require('internal/stdio').opened(fd);
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

class Console {
  #indent = '';
  #step = 2; // columns of a group
  #counts = new Map();
  #timers = new Map();
  #stdout;
  #stderr;

  constructor(options, stderr) {
    if (options === undefined) {
      this.#stdout = 1;
      this.#stderr = 2;
    } else if (typeof options.write === 'function') {
      this.#stdout = options;
      this.#stderr = stderr || options;
    } else {
      this.#stdout = options.stdout;
      this.#stderr = options.stderr || options.stdout;
      this.#step = options.groupIndentation ?? 2;
    }
    // Methods work without their object: [1].forEach(console.log)
    for (const name of Object.getOwnPropertyNames(Console.prototype)) {
      if (name === 'constructor') continue;
      Object.defineProperty(this, name,
        { value: this[name].bind(this), writable: true, configurable: true, enumerable: true });
      Object.defineProperty(this[name], 'name', { value: name });
    }
  }

  #write(target, args) {
    let text = format(typeof target === 'number' ? target : 0, args);
    if (this.#indent !== '') {
      text = this.#indent + text.replaceAll('\n', `\n${this.#indent}`);
    }
    text += '\n';
    if (typeof target !== 'number') {
      target.write(text);
      return;
    }
    // A program that has its hands on the stream may have replaced write.
    const stream = opened(target);
    if (stream !== undefined) stream.write(text);
    else check(target, native.write(target, text));
  }

  log(...args) { this.#write(this.#stdout, args); }

  warn(...args) { this.#write(this.#stderr, args); }

  error(...args) { this.#write(this.#stderr, args); }

  info(...args) { this.#write(this.#stdout, args); }

  debug(...args) { this.#write(this.#stdout, args); }

  dir(value, options) {
    const { inspect } = require('internal/inspect');
    this.#write(this.#stdout, [inspect(value, {
      customInspect: false, colors: this.#stdout === 1 && colorful(1), ...options,
    })]);
  }

  dirxml(...args) { this.log(...args); }

  trace(...args) {
    const error = { name: 'Trace', message: format(2, args) };
    Error.captureStackTrace(error, this.trace);
    this.error(error.stack);
  }

  assert(condition, ...args) {
    if (condition) return;
    args[0] = `Assertion failed${args.length === 0 ? '' : `: ${args[0]}`}`;
    this.warn(...args);
  }

  group(...args) {
    if (args.length > 0) this.log(...args);
    this.#indent += ' '.repeat(this.#step);
  }

  groupCollapsed(...args) { this.group(...args); }

  groupEnd() { this.#indent = this.#indent.slice(0, -this.#step || undefined); }

  count(label = 'default') {
    const count = (this.#counts.get(`${label}`) || 0) + 1;
    this.#counts.set(`${label}`, count);
    this.log(`${label}: ${count}`);
  }

  countReset(label = 'default') {
    if (!this.#counts.delete(`${label}`)) {
      process.emitWarning(`Count for '${label}' does not exist`);
    }
  }

  time(label = 'default') {
    if (this.#timers.has(`${label}`)) {
      process.emitWarning(`Label '${label}' already exists for console.time()`);
      return;
    }
    this.#timers.set(`${label}`, process.hrtime());
  }

  timeEnd(label = 'default') {
    this.#told(label, 'timeEnd', []);
    this.#timers.delete(`${label}`);
  }

  timeLog(label = 'default', ...data) { this.#told(label, 'timeLog', data); }

  #told(label, method, data) {
    const start = this.#timers.get(`${label}`);
    if (start === undefined) {
      process.emitWarning(`No such label '${label}' for console.${method}()`);
      return;
    }
    const [seconds, nanoseconds] = process.hrtime(start);
    const ms = seconds * 1e3 + nanoseconds / 1e6;
    this.log('%s: %s', label, ms >= 1000 ? `${(ms / 1000).toFixed(3)}s`
      : `${Number(ms.toFixed(3))}ms`, ...data);
  }

  table(data, columns) {
    const text = require('internal/table').table(data, columns);
    if (text === undefined) this.log(data);
    else this.log(text);
  }
}

const console = new Console();
console.Console = Console;
Object.defineProperty(console, 'Console', { enumerable: true });
Object.defineProperty(console, Symbol.toStringTag, { value: 'console', configurable: true });
Object.setPrototypeOf(console, {});
module.exports = { console, Console, check, colorful };
