'use strict';
// Readable: properties, async iteration, wrap, from.

const { destroyer, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { AbortError, invalidArgType } = require('internal/errors/errors');

function properties(Readable) {
  const on = (name, descriptor) => Object.defineProperty(Readable.prototype, name,
    { configurable: false, enumerable: true, ...descriptor });
  const state = (name, key) => on(name, {
    enumerable: false,
    get() { return this._readableState ? this._readableState[key] : undefined; },
  });
  on('readable', {
    get() {
      const s = this._readableState;
      return Boolean(s) && s.readable !== false && !s.destroyed && !s.errorEmitted && !s.endEmitted;
    },
    set(value) { if (this._readableState) this._readableState.readable = Boolean(value); },
  });
  on('destroyed', {
    get() { return this._readableState ? this._readableState.destroyed : false; },
    set(value) { if (this._readableState) this._readableState.destroyed = value; },
  });
  on('readableFlowing', {
    enumerable: false,
    get() { return this._readableState.flowing; },
    set(value) { if (this._readableState) this._readableState.flowing = value; },
  });
  state('readableHighWaterMark', 'highWaterMark');
  state('readableBuffer', 'buffer');
  state('readableLength', 'length');
  state('readableObjectMode', 'objectMode');
  state('readableEncoding', 'encoding');
  state('errored', 'errored');
  state('closed', 'closed');
  state('readableEnded', 'endEmitted');
  on('readableDidRead', {
    enumerable: false, get() { return this._readableState.dataEmitted; },
  });
  on('readableAborted', {
    enumerable: false,
    get() {
      const s = this._readableState;
      return s.readable !== false && (s.destroyed || Boolean(s.errored)) && !s.endEmitted;
    },
  });
}

async function* iterate(stream, options) {
  const { finished } = require('internal/streams/end');
  let wake = () => {};
  function next(resolve) {
    if (this === stream) {
      wake();
      wake = () => {};
    } else {
      wake = resolve;
    }
  }
  stream.on('readable', next);
  let failure;
  const cleanup = finished(stream, { writable: false }, (error) => {
    failure = error ? aggregate(failure, error) : null;
    wake();
    wake = () => {};
  });
  function aggregate(first, second) {
    return first || second;
  }
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (failure) throw failure;
      else if (failure === null) return;
      else await new Promise(next);
    }
  } catch (error) {
    failure = aggregate(failure, error);
    throw failure;
  } finally {
    if ((failure || !options || options.destroyOnReturn !== false) &&
        (failure === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', next);
      cleanup();
    }
  }
}

// Gives the iterator's values to the stream, and ends it when the stream is destroyed.
function feed(readable, iterator, isAsync) {
  let reading = false;
  readable._read = function read() {
    if (!reading) {
      reading = true;
      next();
    }
  };
  readable._destroy = function end(error, callback) {
    finish(error).then(() => process.nextTick(callback, error),
      (second) => process.nextTick(callback, second || error));
  };
  async function finish(error) {
    const failed = error !== undefined && error !== null;
    if (failed && typeof iterator.throw === 'function') {
      const { value, done } = await iterator.throw(error);
      await value;
      if (done) return;
    }
    if (typeof iterator.return === 'function') {
      const { value } = await iterator.return();
      await value;
    }
  }
  async function next() {
    for (;;) {
      try {
        const { value, done } = isAsync ? await iterator.next() : iterator.next();
        if (done) {
          readable.push(null);
        } else {
          const item = value && typeof value.then === 'function' ? await value : value;
          if (item === null) {
            reading = false;
            const { error } = require('internal/streams/state');
            throw error('ERR_STREAM_NULL_VALUES', 'May not write null values to stream', TypeError);
          } else if (readable.push(item)) {
            continue;
          } else {
            reading = false;
          }
        }
      } catch (error) {
        readable.destroy(error);
      }
      break;
    }
  }
  return readable;
}

function from(Readable, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  const isAsync = Boolean(iterable && iterable[Symbol.asyncIterator]);
  if (!isAsync && !(iterable && iterable[Symbol.iterator])) {
    throw invalidArgType('iterable', 'Iterable', iterable);
  }
  const iterator = isAsync ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
  return feed(new Readable({ objectMode: true, highWaterMark: 1, ...options }), iterator, isAsync);
}

function install(Readable) {
  properties(Readable);
  Readable.prototype[Symbol.asyncIterator] = function asyncIterator() {
    // Streams of the first kind have no state of their own.
    const stream = typeof this.read === 'function' ? this
      : Readable.wrap(this, { objectMode: true });
    return Object.assign(iterate(stream), { stream });
  };
  Readable.prototype._undestroy = undestroy;
  Readable.prototype.iterator = function iterator(options) {
    if (options !== undefined) {
      require('internal/errors/validators').validateObject(options, 'options');
    }
    return iterate(this, options);
  };
  Readable.from = (iterable, options) => from(Readable, iterable, options);
  Readable.wrap = (source, options) => new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, callback) {
      destroyer(source, error);
      callback(error);
    },
  }).wrap(source);
  Readable.prototype.wrap = function wrap(stream) {
    let paused = false;
    stream.on('data', (chunk) => {
      if (!this.push(chunk) && stream.pause) {
        paused = true;
        stream.pause();
      }
    });
    stream.on('end', () => this.push(null));
    stream.on('error', (error) => errorOrDestroy(this, error));
    stream.on('close', () => this.destroy());
    stream.on('destroy', () => this.destroy());
    this._read = () => {
      if (paused && stream.resume) {
        paused = false;
        stream.resume();
      }
    };
    return this;
  };
  if (Symbol.asyncDispose) {
    Readable.prototype[Symbol.asyncDispose] = function dispose() {
      if (!this.destroyed) this.destroy(this.readableEnded ? null : new AbortError());
      return new Promise((resolve) => {
        require('internal/streams/end').finished(this, () => resolve(null));
      });
    };
  }
  require('internal/streams/operators').install(Readable);
}

module.exports = { install };
