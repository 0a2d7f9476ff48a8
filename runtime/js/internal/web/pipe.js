'use strict';
// One stream flows into another: errors and endings go both ways, nothing is lost between them.

const { state, deferred, nothing, wrongState } = require('internal/web/base');
const { AbortError, invalidArgType } = require('internal/errors/errors');
const { validateAbortSignal } = require('internal/errors/validators');
const readable = require('internal/web/readable_core');
const writable = require('internal/web/writable_core');
const { ReadableStreamDefaultReader } = require('internal/web/readers');
const { WritableStreamDefaultWriter } = require('internal/web/writable');

// The runtime's own error of an abort is the web's.
function reasonOf(signal) {
  const { reason } = signal;
  return reason instanceof AbortError && !(reason instanceof DOMException)
    ? new DOMException(reason.message, 'AbortError') : reason;
}

class Pipe {
  constructor(source, target, options) {
    this.source = source;
    this.target = target;
    Object.assign(this, options);
    this.reader = new ReadableStreamDefaultReader(source);
    this.writer = new WritableStreamDefaultWriter(target);
    this.ended = deferred();
    this.isEnding = false;
    this.lastWrite = Promise.resolve();
    source[state].disturbed = true;
  }

  start() {
    const { signal } = this;
    if (signal !== undefined) {
      if (signal.aborted) {
        this.abort();
        return;
      }
      this.onAbort = () => this.abort();
      signal.addEventListener('abort', this.onAbort);
    }
    this.watch();
    this.step();
  }

  abort() {
    const reason = reasonOf(this.signal);
    const { source, target } = this;
    this.end([true, reason], () => {
      const actions = [];
      if (!this.preventAbort && target[state].state === 'writable') {
        actions.push(writable.abort(target, reason));
      }
      if (!this.preventCancel && source[state].state === 'readable') {
        actions.push(readable.cancel(source, reason));
      }
      return Promise.all(actions);
    });
  }

  // Endings of either side, whichever comes first.
  watch() {
    const { source, target } = this;
    this.reader[state].close.promise.then(() => this.sourceClosed(),
      (error) => this.sourceFailed(error));
    this.writer[state].close.promise.then(nothing, (error) => this.targetFailed(error));
    if (source[state].state === 'errored') this.sourceFailed(source[state].storedError);
    if (target[state].state === 'errored') this.targetFailed(target[state].storedError);
    if (source[state].state === 'closed') this.sourceClosed();
    if (writable.isClosing(target) || target[state].state === 'closed') {
      this.targetFailed(wrongState('Destination WritableStream is closed'));
    }
  }

  sourceFailed(error) {
    this.end([true, error], this.preventAbort ? undefined
      : () => writable.abort(this.target, error));
  }

  targetFailed(error) {
    this.end([true, error], this.preventCancel ? undefined
      : () => readable.cancel(this.source, error));
  }

  sourceClosed() {
    this.end([false], this.preventClose ? undefined : () => writable.closeWithErrors(this.writer));
  }

  // What was read is written first; then the action, then the locks are let go.
  end([isError, error], action) {
    if (this.isEnding) return;
    this.isEnding = true;
    const rest = () => {
      if (action === undefined) this.finish(isError, error);
      else action().then(() => this.finish(isError, error), (other) => this.finish(true, other));
    };
    const { target } = this;
    const isOpen = target[state].state === 'writable' && !writable.isClosing(target);
    if (isOpen) this.written().then(rest);
    else rest();
  }

  written() {
    const { lastWrite } = this;
    return lastWrite.then(() => (lastWrite === this.lastWrite ? undefined : this.written()));
  }

  finish(isError, error) {
    writable.release(this.writer);
    readable.releaseDefault(this.reader);
    if (this.onAbort) this.signal.removeEventListener('abort', this.onAbort);
    if (isError) this.ended.reject(error);
    else this.ended.resolve();
  }

  step() {
    if (this.isEnding) return;
    this.writer[state].ready.promise.then(() => {
      if (this.isEnding) return;
      readable.read(this.reader, {
        chunk: (chunk) => {
          this.lastWrite = writable.write(this.writer, chunk).then(nothing, nothing);
          this.step();
        },
        close: nothing,
        error: nothing,
      });
    }, nothing);
  }
}

// The web's words: options are read, then checked; all errors are the promise's.
function pipeTo(source, target, preventClose, preventAbort, preventCancel, signal) {
  try {
    if (!readable.isReadableStream(source)) {
      throw invalidArgType('source', 'ReadableStream', source);
    }
    if (!writable.isWritableStream(target)) throw invalidArgType('dest', 'WritableStream', target);
    if (signal !== undefined) {
      validateAbortSignal(signal, 'options.signal');
      if (!(signal instanceof AbortSignal)) throw invalidArgType('signal', 'AbortSignal', signal);
    }
    const pipe = new Pipe(source, target, { signal, preventClose: Boolean(preventClose),
      preventAbort: Boolean(preventAbort), preventCancel: Boolean(preventCancel) });
    pipe.start();
    return pipe.ended.promise;
  } catch (error) {
    return Promise.reject(error);
  }
}

module.exports = { pipeTo };
