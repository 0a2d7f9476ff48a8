'use strict';
const { Stream } = require('internal/streams/legacy');
const { destroy, errorOrDestroy, construct } = require('internal/streams/destroy');
const { pipe, unpipe } = require('internal/streams/pipe');
const { getHighWaterMark, getDefaultEncoding, error } = require('internal/streams/state');
const { invalidArgType, outOfRange } = require('internal/errors/errors');

const nop = () => {};
const kPaused = Symbol('kPaused');

function ReadableState(options, stream, isDuplex) {
  this.objectMode = Boolean(options && options.objectMode) ||
    Boolean(isDuplex && options && options.readableObjectMode);
  this.highWaterMark = getHighWaterMark(this, options || {}, 'readableHighWaterMark', isDuplex);
  this.buffer = [];
  this.length = 0;
  this.pipes = [];
  this.flowing = null;
  this.ended = false;
  this.endEmitted = false;
  this.reading = false;
  this.constructed = true;
  this.sync = true;
  this.needReadable = false;
  this.emittedReadable = false;
  this.readableListening = false;
  this.resumeScheduled = false;
  this[kPaused] = null;
  this.errorEmitted = false;
  this.emitClose = !options || options.emitClose !== false;
  this.autoDestroy = !options || options.autoDestroy !== false;
  this.destroyed = false;
  this.errored = null;
  this.closed = false;
  this.closeEmitted = false;
  this.defaultEncoding = getDefaultEncoding(options);
  this.awaitDrainWriters = null;
  this.multiAwaitDrain = false;
  this.readingMore = false;
  this.dataEmitted = false;
  this.decoder = null;
  this.encoding = null;
  if (options && options.encoding) setDecoder(this, options.encoding);
}

function setDecoder(state, encoding) {
  const { StringDecoder } = require('string_decoder');
  state.decoder = new StringDecoder(encoding);
  state.encoding = state.decoder.encoding;
}

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  const isDuplex = this instanceof require('internal/streams/duplex');
  this._readableState = new ReadableState(options, this, isDuplex);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal && !isDuplex) {
      require('internal/streams/abort').addAbortSignal(options.signal, this);
    }
  }
  Stream.call(this, options);
  construct(this, () => {
    if (this._readableState.needReadable) maybeReadMore(this, this._readableState);
  });
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
module.exports = Readable;
Readable.ReadableState = ReadableState;

Readable.prototype.destroy = destroy;
Readable.prototype._destroy = function _destroy(failure, callback) {
  callback(failure);
};
Readable.prototype[require('events').captureRejectionSymbol] = function onRejection(failure) {
  this.destroy(failure);
};

Readable.prototype.push = function push(chunk, encoding) {
  return accept(this, chunk, encoding, false);
};
Readable.prototype.unshift = function unshift(chunk, encoding) {
  return accept(this, chunk, encoding, true);
};

function toBytes(state, chunk, encoding, addToFront) {
  if (typeof chunk === 'string') {
    encoding = encoding || state.defaultEncoding;
    if (state.encoding === encoding) return chunk;
    if (addToFront && state.encoding) return Buffer.from(chunk, encoding).toString(state.encoding);
    return Buffer.from(chunk, encoding);
  }
  if (chunk instanceof Buffer || chunk === null || chunk === undefined) return chunk;
  if (ArrayBuffer.isView(chunk)) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  return invalidArgType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
}

function accept(stream, chunk, encoding, addToFront) {
  const state = stream._readableState;
  if (!state.objectMode) {
    chunk = toBytes(state, chunk, encoding, addToFront);
    if (chunk instanceof Error) {
      errorOrDestroy(stream, chunk);
      return false;
    }
    if (typeof chunk !== 'string') encoding = '';
  }
  if (chunk === null || (chunk === undefined && !state.objectMode)) {
    if (chunk === null) {
      state.reading = false;
      onEnd(stream, state);
    } else {
      state.reading = false;
    }
  } else if (state.objectMode || chunk.length > 0) {
    if (addToFront) {
      if (state.endEmitted) {
        errorOrDestroy(stream, error('ERR_STREAM_UNSHIFT_AFTER_END_EVENT',
          'stream.unshift() after end event'));
      } else if (state.destroyed || state.errored) {
        return false;
      } else {
        addChunk(stream, state, chunk, true);
      }
    } else if (state.ended) {
      errorOrDestroy(stream, error('ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF'));
    } else if (state.destroyed || state.errored) {
      return false;
    } else {
      state.reading = false;
      if (state.decoder && !encoding) {
        chunk = state.decoder.write(chunk);
        if (state.objectMode || chunk.length !== 0) addChunk(stream, state, chunk, false);
        else maybeReadMore(stream, state);
      } else {
        addChunk(stream, state, chunk, false);
      }
    }
  } else if (!addToFront) {
    state.reading = false;
    maybeReadMore(stream, state);
  }
  return !state.ended && (state.length < state.highWaterMark || state.length === 0);
}

function clearAwaited(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

function addChunk(stream, state, chunk, addToFront) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    clearAwaited(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    if (addToFront) state.buffer.unshift(chunk);
    else state.buffer.push(chunk);
    if (state.needReadable) emitReadable(stream);
  }
  maybeReadMore(stream, state);
}

Readable.prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.setEncoding = function setEncoding(encoding) {
  const state = this._readableState;
  setDecoder(state, encoding);
  let content = '';
  for (const chunk of state.buffer) content += state.decoder.write(chunk);
  state.buffer = content === '' ? [] : [content];
  state.length = content.length;
  return this;
};

function nextPowerOfTwo(n) {
  if (n > 2 ** 30) throw outOfRange('size', '<= 1GiB', n);
  let value = 1;
  while (value < n) value *= 2;
  return value;
}

function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (Number.isNaN(n)) {
    return state.flowing && state.length ? state.buffer[0].length : state.length;
  }
  if (n <= state.length) return n;
  return state.ended ? state.length : 0;
}

Readable.prototype.read = function read(n) {
  if (n === undefined) n = NaN;
  else if (!Number.isInteger(n)) n = Number.parseInt(n, 10);
  const state = this._readableState;
  const asked = n;
  if (n > state.highWaterMark) state.highWaterMark = nextPowerOfTwo(n);
  if (n !== 0) state.emittedReadable = false;
  if (n === 0 && state.needReadable &&
      ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) ||
       state.ended)) {
    if (state.length === 0 && state.ended) endReadable(this);
    else emitReadable(this);
    return null;
  }
  n = howMuchToRead(n, state);
  if (n === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }
  let wanted = state.needReadable;
  if (state.length === 0 || state.length - n < state.highWaterMark) wanted = true;
  if (state.ended || state.reading || state.destroyed || state.errored || !state.constructed) {
    wanted = false;
  } else if (wanted) {
    state.reading = true;
    state.sync = true;
    if (state.length === 0) state.needReadable = true;
    try {
      this._read(state.highWaterMark);
    } catch (failure) {
      errorOrDestroy(this, failure);
    }
    state.sync = false;
    if (!state.reading) n = howMuchToRead(asked, state);
  }
  let out = n > 0 ? fromList(n, state) : null;
  if (out === null) {
    state.needReadable = state.length <= state.highWaterMark;
    n = 0;
  } else {
    state.length -= n;
    clearAwaited(state);
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== n && state.ended) endReadable(this);
  }
  if (out !== null && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', out);
  }
  return out;
};

function onEnd(stream, state) {
  if (state.ended) return;
  if (state.decoder) {
    const chunk = state.decoder.end();
    if (chunk && chunk.length) {
      state.buffer.push(chunk);
      state.length += state.objectMode ? 1 : chunk.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    emitReadable(stream);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNow(stream);
  }
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (!state.emittedReadable) {
    state.emittedReadable = true;
    process.nextTick(emitReadableNow, stream);
  }
}

function emitReadableNow(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  state.needReadable = !state.flowing && !state.ended && state.length <= state.highWaterMark;
  flow(stream);
}

function maybeReadMore(stream, state) {
  if (!state.readingMore && state.constructed) {
    state.readingMore = true;
    process.nextTick(readMore, stream, state);
  }
}

function readMore(stream, state) {
  while (!state.reading && !state.ended &&
         (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const before = state.length;
    stream.read(0);
    if (before === state.length) break;
  }
  state.readingMore = false;
}

Readable.prototype._read = function _read() {
  throw error('ERR_METHOD_NOT_IMPLEMENTED', 'The _read() method is not implemented');
};

Readable.prototype.pipe = pipe;
Readable.prototype.unpipe = unpipe;

Readable.prototype.on = function on(event, listener) {
  const result = Stream.prototype.on.call(this, event, listener);
  const state = this._readableState;
  if (event === 'data') {
    state.readableListening = this.listenerCount('readable') > 0;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable' && !state.endEmitted && !state.readableListening) {
    state.readableListening = state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length) emitReadable(this);
    else if (!state.reading) process.nextTick(() => this.read(0));
  }
  return result;
};
Readable.prototype.addListener = Readable.prototype.on;

Readable.prototype.removeListener = function removeListener(event, listener) {
  const result = Stream.prototype.removeListener.call(this, event, listener);
  if (event === 'readable') process.nextTick(updateListening, this);
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;
Readable.prototype.removeAllListeners = function removeAllListeners(event) {
  const result = Stream.prototype.removeAllListeners.apply(this, arguments);
  if (event === 'readable' || event === undefined) process.nextTick(updateListening, this);
  return result;
};

function updateListening(self) {
  const state = self._readableState;
  state.readableListening = self.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) state.flowing = true;
  else if (self.listenerCount('data') > 0) self.resume();
  else if (!state.readableListening) state.flowing = null;
}

Readable.prototype.resume = function resume() {
  const state = this._readableState;
  if (!state.flowing) {
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      process.nextTick(resumeNow, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

Readable.prototype.pause = function pause() {
  if (this._readableState.flowing !== false) {
    this._readableState.flowing = false;
    this.emit('pause');
  }
  this._readableState[kPaused] = true;
  return this;
};

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

function fromList(n, state) {
  if (state.length === 0) return null;
  if (state.objectMode) return state.buffer.shift();
  if (!n || n >= state.length) {
    const all = state.buffer;
    state.buffer = [];
    if (state.decoder) return all.join('');
    return all.length === 1 ? all[0] : Buffer.concat(all, state.length);
  }
  const first = state.buffer[0];
  if (n < first.length) {
    state.buffer[0] = first.slice(n);
    return first.slice(0, n);
  }
  if (n === first.length) return state.buffer.shift();
  const parts = [];
  let left = n;
  while (left > 0) {
    const chunk = state.buffer[0];
    if (left < chunk.length) {
      parts.push(chunk.slice(0, left));
      state.buffer[0] = chunk.slice(left);
      left = 0;
    } else {
      parts.push(state.buffer.shift());
      left -= chunk.length;
    }
  }
  return state.decoder ? parts.join('') : Buffer.concat(parts, n);
}

function endReadable(stream) {
  const state = stream._readableState;
  if (!state.endEmitted) {
    state.ended = true;
    process.nextTick(endNow, state, stream);
  }
}

function endNow(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length !== 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(() => {
      if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
    });
  } else if (state.autoDestroy) {
    const writable = stream._writableState;
    if (!writable || (writable.autoDestroy && (writable.finished || writable.writable === false))) {
      stream.destroy();
    }
  }
}

require('internal/streams/readable_more').install(Readable, nop);
