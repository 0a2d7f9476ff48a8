'use strict';
// finished(): tells when a stream is over.

const { AbortError, invalidArgType } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const { error } = require('internal/streams/state');

const isNode = (stream) => Boolean(stream && typeof stream.on === 'function' &&
  (stream._readableState || stream._writableState ||
   (typeof stream.write === 'function') || typeof stream.pipe === 'function'));

function willEmitClose(stream) {
  const state = stream._writableState || stream._readableState;
  return Boolean((!state && stream.setHeader && stream._closed === false) ||
    (state && state.autoDestroy && state.emitClose && state.closed === false));
}

function isReadable(stream) {
  if (stream._readableState) {
    return !stream._writableState || stream._readableState.readable !== false;
  }
  return !stream._writableState && typeof stream.pipe === 'function';
}

function isWritable(stream) {
  if (!stream._writableState) return typeof stream.write === 'function';
  return !stream._readableState || stream._writableState.writable !== false;
}

const premature = () => error('ERR_STREAM_PREMATURE_CLOSE', 'Premature close');

// Calls back in the async context of now, once.
function onceInContext(stream, callback) {
  let done = false;
  const context = binding('gate').getContext();
  return (failure) => {
    if (done) return;
    done = true;
    const before = binding('gate').getContext();
    if (context !== before) binding('gate').setContext(context);
    callback.call(stream, failure);
    if (context !== before) binding('gate').setContext(before);
  };
}

const hasWrite = (stream) => typeof stream.write === 'function';

// Nothing is left, even if the event that says so has not come yet.
function isDone(state, event) {
  return Boolean(state && (state[event] || (state.ended && state.length === 0)));
}

// Looks at a stream until it is over, and calls back then.
class Watch {
  #stream;
  #call;
  #readable;
  #writable;
  #closesItself;
  #writableFinished;
  #readableFinished;
  closed;

  constructor(stream, options, call) {
    const w = stream._writableState;
    const r = stream._readableState;
    this.#stream = stream;
    this.#call = call;
    this.#readable = options.readable ?? isReadable(stream);
    this.#writable = options.writable ?? isWritable(stream);
    this.#closesItself = willEmitClose(stream) && isReadable(stream) === this.#readable &&
      isWritable(stream) === this.#writable;
    this.#writableFinished = w ? w.finished && hasWrite(stream) : stream.writableFinished;
    // A request whose answer is out is over, even if nobody has read it.
    const isDumped = Boolean(stream._dumped && stream.complete);
    this.#readableFinished = r?.endEmitted || isDumped;
    this.closed = Boolean(w?.closed || r?.closed || w?.errorEmitted || r?.errorEmitted ||
      (!w && stream.setHeader && stream._closed) || isDumped);
  }

  #onFinish = () => {
    this.#writableFinished = true;
    if (this.#stream.destroyed) this.#closesItself = false;
    if (this.#closesItself && (!this.#stream.writable || this.#readable)) return;
    if (!this.#readable || this.#readableFinished) this.#call(undefined);
  };

  #onEnd = () => {
    this.#readableFinished = true;
    if (this.#stream.destroyed) this.#closesItself = false;
    if (this.#closesItself && (!this.#stream.readable || this.#writable)) return;
    if (!this.#writable || this.#writableFinished) this.#call(undefined);
  };

  // Streams of the first kind do not tell that all is written.
  #onLegacyEnd = () => {
    if (!this.#stream.writable) this.#onFinish();
  };

  #onError = (failure) => { this.#call(failure); };

  #onClose = () => {
    const stream = this.#stream;
    this.closed = true;
    const errored = stream._writableState?.errored || stream._readableState?.errored;
    if (errored && typeof errored !== 'boolean') {
      this.#call(errored);
      return;
    }
    // Messages that go out by HTTP have pipe() and yet cannot be read.
    const cutShort = this.#readable && !this.#readableFinished && isReadable(stream) &&
      typeof stream.resume === 'function' && !isDone(stream._readableState, 'endEmitted');
    const leftOpen = this.#writable && !this.#writableFinished &&
      !(hasWrite(stream) && isDone(stream._writableState, 'finished')) &&
      stream.writableFinished !== true;
    this.#call(cutShort || leftOpen ? premature() : undefined);
  };

  #onRequest = () => { this.#stream.req.on('finish', this.#onFinish); };

  #isRequest() {
    return this.#stream.setHeader && typeof this.#stream.abort === 'function';
  }

  start(withErrors) {
    const stream = this.#stream;
    if (this.#isRequest()) {
      stream.on('complete', this.#onFinish);
      if (!this.#closesItself) stream.on('abort', this.#onClose);
      if (stream.req) this.#onRequest();
      else stream.on('request', this.#onRequest);
    } else if (this.#writable && !stream._writableState) {
      stream.on('end', this.#onLegacyEnd);
      stream.on('close', this.#onLegacyEnd);
    }
    if (!this.#closesItself && typeof stream.aborted === 'boolean') {
      stream.on('aborted', this.#onClose);
    }
    stream.on('end', this.#onEnd);
    stream.on('finish', this.#onFinish);
    if (withErrors) stream.on('error', this.#onError);
    stream.on('close', this.#onClose);
    if (this.#isOver()) process.nextTick(this.#onClose);
  }

  #isOver() {
    const stream = this.#stream;
    if (this.closed) return true;
    if (!this.#readable && (!this.#closesItself || stream.readable) &&
        (this.#writableFinished || stream.writable === false) &&
        !stream._writableState?.pendingcb) return true;
    return !this.#writable && (!this.#closesItself || stream.writable) &&
      (this.#readableFinished || stream.readable === false);
  }

  stop() {
    const stream = this.#stream;
    for (const [name, listener] of [['aborted', this.#onClose], ['complete', this.#onFinish],
      ['abort', this.#onClose], ['request', this.#onRequest], ['end', this.#onEnd],
      ['finish', this.#onFinish], ['error', this.#onError], ['close', this.#onClose],
      ['end', this.#onLegacyEnd], ['close', this.#onLegacyEnd]]) {
      stream.removeListener(name, listener);
    }
    if (stream.req && this.#isRequest()) stream.req.removeListener('finish', this.#onFinish);
  }
}

function finished(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  }
  options ??= {};
  require('internal/errors/validators').validateObject(options, 'options');
  validateFunction(callback, 'callback');
  if (!isNode(stream)) {
    const web = require('internal/streams/web');
    const kind = web.kindOf(stream);
    if (kind === 'readable' || kind === 'writable') return web.finished(stream, options, callback);
    throw invalidArgType('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  const { signal } = options;
  let stopped = false;
  let onAbort = null;
  const call = onceInContext(stream, function done(failure) {
    if (onAbort) signal.removeEventListener('abort', onAbort);
    callback.call(stream, failure);
  });
  const watch = new Watch(stream, options, (failure) => {
    if (!stopped) call(failure);
  });
  const { closed } = watch;
  watch.start(options.error !== false);
  const cleanup = () => {
    stopped = true;
    watch.stop();
  };
  if (signal && !closed) {
    onAbort = () => {
      cleanup();
      callback.call(stream, new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) process.nextTick(onAbort);
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  return cleanup;
}

module.exports = { finished, isNode, isReadable, isWritable };
