'use strict';
// Errors that say what a call of the system gave: Node's SystemError. `context` has its code,
// message, syscall and errno, and may have a path and another that it was about.

const { kIsNodeError } = require('internal/errors/stacks');

class SystemError extends Error {
  static isSystem = true;

  constructor(context, code, prefix) {
    let text = `${prefix}: ${context.syscall} returned ${context.code} (${context.message})`;
    if (context.path !== undefined) text += ` ${context.path}`;
    if (context.dest !== undefined) text += ` => ${context.dest}`;
    super(text);
    const define = (name, value) => Object.defineProperty(this, name, value);
    define('name', { value: 'SystemError', enumerable: false, writable: true,
      configurable: true });
    define(kIsNodeError, { value: true, enumerable: false, configurable: true, writable: false });
    this.code = code;
    Error.captureStackTrace(this, new.target); // its header has the name and the code
    define('info', { value: context, enumerable: true, configurable: true, writable: false });
    for (const key of ['errno', 'syscall']) define(key, accessor(context, key));
    for (const key of ['path', 'dest']) {
      if (context[key] !== undefined) define(key, nameAccessor(context, key));
    }
  }

  toString() { return `${this.name} [${this.code}]: ${this.message}`; }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    return require('internal/inspect/inspect').inspect(this,
      { ...options, getters: true, customInspect: false });
  }
}

function accessor(context, key) {
  return {
    enumerable: true, configurable: true,
    get: () => context[key],
    set(value) { context[key] = value; },
  };
}

// Names of files may be bytes.
function nameAccessor(context, key) {
  return {
    enumerable: true, configurable: true,
    get: () => context[key]?.toString(),
    set(value) { context[key] = value ? Buffer.from(`${value}`) : undefined; },
  };
}

module.exports = { SystemError, kIsNodeError };
