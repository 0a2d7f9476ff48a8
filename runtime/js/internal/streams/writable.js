'use strict';
const { Stream } = require('internal/streams/legacy');
const { destroy, errorOrDestroy, construct, undestroy } = require('internal/streams/destroy');
const { getHighWaterMark, getDefaultEncoding, error, destroyed } =
  require('internal/streams/state');
const { AbortError, invalidArgType, unknownEncoding } = require('internal/errors/errors');

const nop = () => {};
const kOnFinished = Symbol('kOnFinished');

function WritableState(options, stream, isDuplex) {
  this.objectMode = Boolean(options && options.objectMode) ||
    Boolean(isDuplex && options && options.writableObjectMode);
  this.highWaterMark = getHighWaterMark(this, options || {}, 'writableHighWaterMark', isDuplex);
  this.finalCalled = false;
  this.needDrain = false;
  this.ending = false;
  this.ended = false;
  this.finished = false;
  this.destroyed = false;
  this.decodeStrings = !(options && options.decodeStrings === false);
  this.defaultEncoding = getDefaultEncoding(options);
  this.length = 0;
  this.writing = false;
  this.corked = 0;
  this.sync = true;
  this.bufferProcessing = false;
  this.onwrite = (failure) => onWrite(stream, failure);
  this.writecb = null;
  this.writelen = 0;
  this.afterWriteTickInfo = null;
  this.buffered = [];
  this.bufferedIndex = 0;
  this.pendingcb = 0;
  this.constructed = true;
  this.prefinished = false;
  this.errorEmitted = false;
  this.emitClose = !options || options.emitClose !== false;
  this.autoDestroy = !options || options.autoDestroy !== false;
  this.errored = null;
  this.closed = false;
  this.closeEmitted = false;
  this[kOnFinished] = [];
}
WritableState.prototype.getBuffer = function getBuffer() {
  return this.buffered.slice(this.bufferedIndex);
};
Object.defineProperty(WritableState.prototype, 'bufferedRequestCount', {
  get() { return this.buffered.length - this.bufferedIndex; },
});

function Writable(options) {
  const isDuplex = this instanceof require('internal/streams/duplex');
  if (!isDuplex && !Function.prototype[Symbol.hasInstance].call(Writable, this)) {
    return new Writable(options);
  }
  this._writableState = new WritableState(options, this, isDuplex);
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) require('internal/streams/abort').addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  construct(this, () => {
    const state = this._writableState;
    if (!state.writing) clearBuffer(this, state);
    finishMaybe(this, state);
  });
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
module.exports = Writable;
Writable.WritableState = WritableState;

Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) return true;
    if (this !== Writable) return false;
    return Boolean(object) && object._writableState instanceof WritableState;
  },
});

Writable.prototype[Symbol.asyncDispose] = async function dispose() {
  let failure;
  if (!this.destroyed) {
    failure = this.writableFinished ? null : new AbortError();
    this.destroy(failure);
  }
  await new Promise((resolve, reject) => {
    require('internal/streams/end').finished(this, (error) =>
      (error && error.name !== 'AbortError' ? reject(error) : resolve(null)));
  });
};

Writable.prototype._undestroy = undestroy;

Writable.prototype.pipe = function pipe() {
  errorOrDestroy(this, error('ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
};

function writeChunk(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = state.objectMode ? null : state.defaultEncoding;
  } else {
    if (!encoding) encoding = state.objectMode ? encoding : state.defaultEncoding;
    else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
      throw unknownEncoding(encoding);
    }
    if (typeof callback !== 'function') callback = nop;
  }
  if (chunk === null) {
    throw error('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError);
  }
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      if (state.decodeStrings !== false) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = 'buffer';
    } else {
      throw invalidArgType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  let failure;
  if (state.ending) failure = error('ERR_STREAM_WRITE_AFTER_END', 'write after end');
  else if (state.destroyed) failure = destroyed('write');
  if (failure) {
    process.nextTick(callback, failure);
    errorOrDestroy(stream, failure, true);
    return failure;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, callback);
}

Writable.prototype.write = function write(chunk, encoding, callback) {
  return writeChunk(this, chunk, encoding, callback) === true;
};
Writable.prototype.cork = function cork() {
  this._writableState.corked++;
};
Writable.prototype.uncork = function uncork() {
  const state = this._writableState;
  if (state.corked) {
    state.corked--;
    if (!state.writing) clearBuffer(this, state);
  }
};
Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  if (!Buffer.isEncoding(encoding)) {
    throw unknownEncoding(encoding);
  }
  this._writableState.defaultEncoding = encoding;
  return this;
};

function sizeOf(state, chunk) {
  return state.objectMode ? 1 : chunk.length;
}

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const size = sizeOf(state, chunk);
  state.length += size;
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
  } else {
    state.writelen = size;
    state.writecb = callback;
    state.writing = true;
    state.sync = true;
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // A write that finished at once has given its room back.
  const more = state.length < state.highWaterMark;
  if (!more) state.needDrain = true;
  return more && !state.errored && !state.destroyed;
}

function doWrite(stream, state, many, size, chunk, encoding, callback) {
  state.writelen = size;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
  if (state.destroyed) state.onwrite(destroyed('write'));
  else if (many) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.sync = false;
}

function onWriteError(stream, state, failure, callback) {
  --state.pendingcb;
  callback(failure);
  errorBuffer(state);
  errorOrDestroy(stream, failure);
}

function onWrite(stream, failure) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (typeof callback !== 'function') {
    errorOrDestroy(stream, error('ERR_MULTIPLE_CALLBACK', 'Callback called multiple times'));
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (failure) {
    void failure.stack;
    if (!state.errored) state.errored = failure;
    if (stream._readableState && !stream._readableState.errored) {
      stream._readableState.errored = failure;
    }
    if (sync) process.nextTick(onWriteError, stream, state, failure, callback);
    else onWriteError(stream, state, failure, callback);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (!sync) {
    afterWrite(stream, state, 1, callback);
    return;
  }
  // Callbacks of writes that finished at once are called together.
  const info = state.afterWriteTickInfo;
  if (info !== null && info.callback === callback) {
    info.count++;
  } else {
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    process.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

function afterWriteTick({ stream, state, count, callback }) {
  state.afterWriteTickInfo = null;
  afterWrite(stream, state, count, callback);
}

function afterWrite(stream, state, count, callback) {
  if (!state.ending && !stream.destroyed && state.length === 0 && state.needDrain) {
    state.needDrain = false;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) errorBuffer(state);
  finishMaybe(stream, state);
}

function errorBuffer(state) {
  if (state.writing) return;
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= sizeOf(state, chunk);
    callback(state.errored ?? destroyed('write'));
  }
  for (const callback of state[kOnFinished].splice(0)) {
    callback(state.errored ?? destroyed('end'));
  }
  state.buffered = [];
  state.bufferedIndex = 0;
}

function clearBuffer(stream, state) {
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered } = state;
  let index = state.bufferedIndex;
  const count = buffered.length - index;
  if (count === 0) return;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    state.pendingcb -= count - 1;
    const chunks = index === 0 ? buffered : buffered.slice(index);
    const callback = (failure) => {
      for (const one of chunks) one.callback(failure);
    };
    chunks.allBuffers = chunks.every((one) => one.encoding === 'buffer');
    state.buffered = [];
    state.bufferedIndex = 0;
    doWrite(stream, state, true, state.length, chunks, '', callback);
  } else {
    do {
      const { chunk, encoding, callback } = buffered[index];
      buffered[index++] = null;
      doWrite(stream, state, false, sizeOf(state, chunk), chunk, encoding, callback);
    } while (index < buffered.length && !state.writing);
    if (index === buffered.length) {
      state.buffered = [];
      state.bufferedIndex = 0;
    } else if (index > 256) {
      buffered.splice(0, index);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = index;
    }
  }
  state.bufferProcessing = false;
}

Writable.prototype._write = function _write(chunk, encoding, callback) {
  if (this._writev) this._writev([{ chunk, encoding }], callback);
  else throw error('ERR_METHOD_NOT_IMPLEMENTED', 'The _write() method is not implemented');
};
Writable.prototype._writev = null;

Writable.prototype.end = function end(chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let failure;
  if (chunk !== null && chunk !== undefined) {
    const result = writeChunk(this, chunk, encoding);
    if (result instanceof Error) failure = result;
  }
  if (state.corked) {
    state.corked = 1;
    this.uncork();
  }
  if (failure) {
    // The write has reported it.
  } else if (!state.errored && !state.ending) {
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    failure = error('ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished');
  } else if (state.destroyed) {
    failure = destroyed('end');
  }
  if (typeof callback === 'function') {
    if (failure) process.nextTick(callback, failure);
    else if (state.finished) process.nextTick(callback);
    else state[kOnFinished].push(callback);
  }
  return this;
};

function needFinish(state) {
  return state.ending && !state.destroyed && state.constructed && state.length === 0 &&
    !state.errored && state.buffered.length === 0 && !state.finished && !state.writing &&
    !state.errorEmitted && !state.closeEmitted;
}

function callFinal(stream, state) {
  let called = false;
  function onFinish(failure) {
    if (called) {
      errorOrDestroy(
        stream,
        failure ?? error('ERR_MULTIPLE_CALLBACK', 'Callback called multiple times')
      );
      return;
    }
    called = true;
    state.pendingcb--;
    if (failure) {
      for (const callback of state[kOnFinished].splice(0)) callback(failure);
      errorOrDestroy(stream, failure, state.sync);
    } else if (needFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  }
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinish);
  } catch (failure) {
    onFinish(failure);
  }
  state.sync = false;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function finishMaybe(stream, state, sync) {
  if (!needFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (sync) {
    state.pendingcb++;
    process.nextTick(() => {
      if (needFinish(state)) finish(stream, state);
      else state.pendingcb--;
    });
  } else if (needFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  for (const callback of state[kOnFinished].splice(0)) callback(null);
  stream.emit('finish');
  if (state.autoDestroy) {
    const readable = stream._readableState;
    if (
      !readable ||
      (readable.autoDestroy && (readable.endEmitted || readable.readable === false))
    ) {
      stream.destroy();
    }
  }
}

Writable.prototype.destroy = function destroyWritable(failure, callback) {
  const state = this._writableState;
  if (!state.destroyed &&
      (state.bufferedIndex < state.buffered.length || state[kOnFinished].length)) {
    process.nextTick(errorBuffer, state);
  }
  destroy.call(this, failure, callback);
  return this;
};
Writable.prototype._destroy = function _destroy(failure, callback) {
  callback(failure);
};
Writable.prototype[require('events').captureRejectionSymbol] = function onRejection(failure) {
  this.destroy(failure);
};

function property(name, get, set) {
  Object.defineProperty(Writable.prototype, name, { configurable: true, get, set });
}
property('closed', function closed() {
  return this._writableState ? this._writableState.closed : false;
});
property('destroyed', function isDestroyed() {
  return this._writableState ? this._writableState.destroyed : false;
}, function setDestroyed(value) {
  if (this._writableState) this._writableState.destroyed = value;
});
property('writable', function writable() {
  const state = this._writableState;
  return Boolean(state) && state.writable !== false && !state.destroyed && !state.errored &&
    !state.ending && !state.ended;
}, function setWritable(value) {
  if (this._writableState) this._writableState.writable = Boolean(value);
});
property('writableFinished', function finished() { return this._writableState.finished; });
property('writableObjectMode', function objectMode() { return this._writableState.objectMode; });
property('writableBuffer', function buffer() { return this._writableState.getBuffer(); });
property('writableEnded', function ended() {
  return this._writableState ? this._writableState.ending : false;
});
property('writableNeedDrain', function needDrain() {
  const state = this._writableState;
  return !state.destroyed && !state.ending && state.needDrain;
});
property('writableHighWaterMark', function mark() { return this._writableState.highWaterMark; });
property('writableCorked', function corked() { return this._writableState.corked; });
property('writableLength', function length() { return this._writableState.length; });
property('errored', function errored() {
  return this._writableState ? this._writableState.errored : null;
});
property('writableAborted', function aborted() {
  const state = this._writableState;
  return state.writable !== false && (state.destroyed || Boolean(state.errored)) && !state.finished;
});
