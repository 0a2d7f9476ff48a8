'use strict';
const EventEmitter = require('events');
const { AbortError } = require('internal/errors/errors');
const { validateAbortSignal, validateFunction } = require('internal/errors/validators');
const shared = require('internal/readline/interface');
const screen = require('internal/readline/screen');
const { emitKeypressEvents } = require('internal/readline/keys');
const { promisify } = require('util');

// May be called without new, and on objects of programs that inherit from it.
function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  EventEmitter.call(this);
  this._start(input, output, completer, terminal);
}
Object.setPrototypeOf(Interface, shared.Interface);
Interface.prototype = Object.create(shared.Interface.prototype, {
  constructor: { value: Interface, writable: true, configurable: true },
});

Interface.prototype.question = function question(query, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  options = typeof options === 'object' && options !== null ? options : {};
  const { signal } = options;
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    if (signal.aborted) return;
    const onAbort = () => this._cancelQuestion();
    signal.addEventListener('abort', onAbort, { once: true });
    const answer = callback;
    callback = typeof answer !== 'function' ? answer : (line) => {
      signal.removeEventListener('abort', onAbort);
      return answer(line);
    };
  }
  if (typeof callback === 'function') this._ask(query, callback);
};

Interface.prototype.question[promisify.custom] = function question(query, options) {
  const signal = options?.signal;
  if (signal?.aborted) {
    return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  }
  return new Promise((resolve, reject) => {
    let answered = resolve;
    if (signal) {
      const onAbort = () => reject(new AbortError(undefined, { cause: signal.reason }));
      signal.addEventListener('abort', onAbort, { once: true });
      answered = (answer) => {
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
    }
    this.question(query, options, answered);
  });
};

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = {
  Interface, clearLine: screen.clearLine, clearScreenDown: screen.clearScreenDown,
  createInterface, cursorTo: screen.cursorTo, emitKeypressEvents, moveCursor: screen.moveCursor,
};
Object.defineProperty(module.exports, 'promises', {
  enumerable: true, configurable: true, get: () => require('readline/promises'),
});
