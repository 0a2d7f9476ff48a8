'use strict';
// The end of a stream's life: destroy, construct, errors, 'close'.

const { aggregateTwo, AbortError, withCode } = require('internal/errors/errors');

const kDestroy = Symbol('kDestroy');
const kConstruct = Symbol('kConstruct');

function remember(error, writable, readable) {
  if (!error) return;
  void error.stack;
  if (writable && !writable.errored) writable.errored = error;
  if (readable && !readable.errored) readable.errored = error;
}

function destroy(error, callback) {
  const readable = this._readableState;
  const writable = this._writableState;
  const state = writable || readable;
  if ((writable && writable.destroyed) || (readable && readable.destroyed)) {
    if (typeof callback === 'function') callback();
    return this;
  }
  remember(error, writable, readable);
  if (writable) writable.destroyed = true;
  if (readable) readable.destroyed = true;
  if (state.constructed) {
    runDestroy(this, error, callback);
  } else {
    this.once(kDestroy, function onConstructed(second) {
      runDestroy(this, aggregateTwo(second, error), callback);
    });
  }
  return this;
}

function runDestroy(self, error, callback) {
  let called = false;
  function done(failure) {
    if (called) return;
    called = true;
    const readable = self._readableState;
    const writable = self._writableState;
    remember(failure, writable, readable);
    if (writable) writable.closed = true;
    if (readable) readable.closed = true;
    if (typeof callback === 'function') callback(failure);
    if (failure) process.nextTick(emitErrorAndClose, self, failure);
    else process.nextTick(emitClose, self);
  }
  try {
    self._destroy(error || null, done);
  } catch (failure) {
    done(failure);
  }
}

function emitErrorAndClose(self, error) {
  emitError(self, error);
  emitClose(self);
}

function emitClose(self) {
  const readable = self._readableState;
  const writable = self._writableState;
  if (writable) writable.closeEmitted = true;
  if (readable) readable.closeEmitted = true;
  if ((writable && writable.emitClose) || (readable && readable.emitClose)) self.emit('close');
}

function emitError(self, error) {
  const readable = self._readableState;
  const writable = self._writableState;
  if ((writable && writable.errorEmitted) || (readable && readable.errorEmitted)) return;
  if (writable) writable.errorEmitted = true;
  if (readable) readable.errorEmitted = true;
  self.emit('error', error);
}

// With autoDestroy an error ends the stream; without, it is only emitted.
function errorOrDestroy(stream, error, sync) {
  const readable = stream._readableState;
  const writable = stream._writableState;
  if ((writable && writable.destroyed) || (readable && readable.destroyed)) return;
  if ((readable && readable.autoDestroy) || (writable && writable.autoDestroy)) {
    stream.destroy(error);
    return;
  }
  if (!error) return;
  remember(error, writable, readable);
  if (sync) process.nextTick(emitError, stream, error);
  else emitError(stream, error);
}

// As if it had never been destroyed; for streams that can begin again.
function undestroy() {
  const plain = { constructed: true, closed: false, closeEmitted: false, destroyed: false,
    errored: null, errorEmitted: false };
  const r = this._readableState;
  const w = this._writableState;
  if (r) {
    Object.assign(r, plain, { reading: false, ended: r.readable === false,
      endEmitted: r.readable === false });
  }
  if (w) {
    const isOff = w.writable === false;
    Object.assign(w, plain, { finalCalled: false, prefinished: false, ended: isOff,
      ending: isOff, finished: isOff });
  }
}

function construct(stream, callback) {
  if (typeof stream._construct !== 'function') return;
  const readable = stream._readableState;
  const writable = stream._writableState;
  if (readable) readable.constructed = false;
  if (writable) writable.constructed = false;
  stream.once(kConstruct, callback);
  if (stream.listenerCount(kConstruct) > 1) return;
  process.nextTick(runConstruct, stream);
}

function runConstruct(stream) {
  let called = false;
  function done(error) {
    if (called) {
      errorOrDestroy(stream, error ?? withCode(Error, 'ERR_MULTIPLE_CALLBACK',
        'Callback called multiple times'));
      return;
    }
    called = true;
    const readable = stream._readableState;
    const writable = stream._writableState;
    const state = writable || readable;
    if (readable) readable.constructed = true;
    if (writable) writable.constructed = true;
    if (state.destroyed) stream.emit(kDestroy, error);
    else if (error) errorOrDestroy(stream, error, true);
    else stream.emit(kConstruct);
  }
  try {
    stream._construct((error) => process.nextTick(done, error));
  } catch (error) {
    process.nextTick(done, error);
  }
}

function isRequest(stream) {
  return stream && stream.setHeader && typeof stream.abort === 'function';
}

function isServerRequest(stream) {
  return typeof stream._dumped === 'boolean' && typeof stream._consumed === 'boolean' &&
    !stream.req && !stream.statusCode;
}

// A stream that can't be destroyed tells those who listen.
function endLegacy(stream, error) {
  if (error) stream.emit('error', error);
  stream.emit('close');
}

function destroyer(stream, error) {
  if (!stream || stream.destroyed) return;
  if (!error && !(stream.readableEnded || stream.writableFinished)) error = new AbortError();
  // The connection is still needed for the answer.
  if (isServerRequest(stream)) stream.socket = null;
  if (isRequest(stream)) stream.abort();
  else if (isRequest(stream.req)) stream.req.abort();
  else if (typeof stream.destroy === 'function') stream.destroy(error);
  else if (typeof stream.close === 'function') stream.close();
  else process.nextTick(endLegacy, stream, error);
}

module.exports = { destroy, errorOrDestroy, construct, destroyer, kDestroy, undestroy };
