'use strict';
// finished(): tells when a stream is over.

const { AbortError, invalidArgType, validateFunction } = require('internal/errors');
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
  if (stream._readableState) return stream._readableState.readable !== false;
  return !stream._writableState && typeof stream.pipe === 'function';
}

function isWritable(stream) {
  return Boolean(stream._writableState ? stream._writableState.writable !== false
    : typeof stream.write === 'function');
}

const premature = () => error('ERR_STREAM_PREMATURE_CLOSE', 'Premature close');

function finished(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  }
  options ??= {};
  validateFunction(callback, 'callback');
  if (!isNode(stream)) {
    throw invalidArgType('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  let done = false;
  const context = binding('gate').getContext();
  const call = (failure) => {
    if (done) return;
    done = true;
    const before = binding('gate').getContext();
    if (context !== before) binding('gate').setContext(context);
    callback.call(stream, failure);
    if (context !== before) binding('gate').setContext(before);
  };
  const readable = options.readable ?? isReadable(stream);
  const writable = options.writable ?? isWritable(stream);
  const w = stream._writableState;
  const r = stream._readableState;
  let closesItself = willEmitClose(stream) && isReadable(stream) === readable &&
    isWritable(stream) === writable;
  let writableFinished = w ? w.finished || (w.ended && w.length === 0 && w.errored) : undefined;
  if (w) writableFinished = w.finished;
  let readableFinished = r ? r.endEmitted : undefined;

  function onFinish() {
    writableFinished = true;
    if (stream.destroyed) closesItself = false;
    if (closesItself && (!stream.writable || readable)) return;
    if (!readable || readableFinished) call(undefined);
  }
  function onEnd() {
    readableFinished = true;
    if (stream.destroyed) closesItself = false;
    if (closesItself && (!stream.readable || writable)) return;
    if (!writable || writableFinished) call(undefined);
  }
  function onError(failure) {
    call(failure);
  }
  let closed = Boolean(w?.closed || r?.closed || w?.errorEmitted || r?.errorEmitted);
  function onClose() {
    closed = true;
    const errored = w?.errored || r?.errored;
    if (errored && typeof errored !== 'boolean') {
      call(errored);
      return;
    }
    // Messages that go out by HTTP have pipe() and yet cannot be read.
    if (readable && !readableFinished && isReadable(stream) &&
        typeof stream.resume === 'function' && !(r && r.endEmitted)) {
      call(premature());
      return;
    }
    if (writable && !writableFinished && !(w && w.finished)) {
      call(premature());
      return;
    }
    call(undefined);
  }
  function onRequest() {
    stream.req.on('finish', onFinish);
  }
  const isRequest = stream.setHeader && typeof stream.abort === 'function';
  if (isRequest) {
    stream.on('complete', onFinish);
    if (!closesItself) stream.on('abort', onClose);
    if (stream.req) onRequest();
    else stream.on('request', onRequest);
  }
  if (!closesItself && typeof stream.aborted === 'boolean') stream.on('aborted', onClose);
  stream.on('end', onEnd);
  stream.on('finish', onFinish);
  if (options.error !== false) stream.on('error', onError);
  stream.on('close', onClose);

  if (closed) {
    process.nextTick(onClose);
  } else if (w?.errorEmitted || r?.errorEmitted) {
    if (!closesItself) process.nextTick(onClose);
  } else if (!readable && (!closesItself || stream.readable) &&
             (writableFinished || stream.writable === false)) {
    process.nextTick(onClose);
  } else if (!writable && (!closesItself || stream.writable) &&
             (readableFinished || stream.readable === false)) {
    process.nextTick(onClose);
  }
  const cleanup = () => {
    done = true;
    for (const [name, listener] of [['aborted', onClose], ['complete', onFinish],
      ['abort', onClose], ['request', onRequest], ['end', onEnd], ['finish', onFinish],
      ['error', onError], ['close', onClose]]) stream.removeListener(name, listener);
    if (stream.req && isRequest) stream.req.removeListener('finish', onFinish);
  };
  if (options.signal && !closed) {
    const abort = () => {
      const end = callback;
      cleanup();
      end.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      options.signal.addEventListener('abort', abort, { once: true });
      const original = callback;
      callback = function withoutSignal(...args) {
        options.signal.removeEventListener('abort', abort);
        original.apply(stream, args);
      };
    }
  }
  return cleanup;
}

module.exports = { finished, isNode, isReadable, isWritable };
