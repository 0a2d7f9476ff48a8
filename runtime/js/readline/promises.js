'use strict';
const { AbortError, invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateInteger } =
  require('internal/errors/validators');
const shared = require('internal/readline/interface');
const screen = require('internal/readline/screen');

class Interface extends shared.Interface {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      let answered = resolve;
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const onAbort = () => {
          this._cancelQuestion();
          reject(new AbortError(undefined, { cause: signal.reason }));
        };
        signal.addEventListener('abort', onAbort, { once: true });
        answered = (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        };
      }
      this._ask(query, answered);
    });
  }

  async _callCompleter(typed, done) {
    let result;
    try {
      result = await this.completer(typed);
    } catch (error) {
      done(error);
      return;
    }
    done(null, result);
  }
}

function isWritable(stream) {
  return typeof stream?.write === 'function' && typeof stream.on === 'function';
}

class Readline {
  #stream;
  #autoCommit = false;
  #todo = [];

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw invalidArgType('stream', 'Writable', stream);
    this.#stream = stream;
    if (options?.autoCommit !== undefined && options.autoCommit !== null) {
      validateBoolean(options.autoCommit, 'options.autoCommit');
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(text) {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(text));
    else this.#todo.push(text);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, 'x');
    if (y !== undefined && y !== null) validateInteger(y, 'y');
    return this.#add(screen.place(x, y));
  }

  moveCursor(dx, dy) {
    if (dx || dy) {
      validateInteger(dx, 'dx');
      validateInteger(dy, 'dy');
      this.#add(screen.distance(dx, dy));
    }
    return this;
  }

  clearLine(direction) {
    validateInteger(direction, 'dir', -1, 1);
    return this.#add(screen.lineEraser(direction));
  }

  clearScreenDown() { return this.#add(screen.sequences.clearDown); }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(this.#todo.join(''), resolve);
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
