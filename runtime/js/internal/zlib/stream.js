'use strict';
// The classes' common base: a Transform around an engine.

const { invalidArgType } = require('internal/errors/errors');
const Transform = require('internal/streams/transform');
const Engine = require('internal/zlib/engine');
const { constants } = require('internal/zlib/constants');
const { inRange, zlibFailure } = require('internal/zlib/formats');
const { makeHandle, defineFields } = require('internal/zlib/handle');

const FLUSH = Symbol('flush');

// A function, not a class: programs derive from it by calling it.
function ZlibBase(format, options) {
  const engine = new Engine(format, options);
  Transform.call(this, { autoDestroy: true, ...options });
  Object.defineProperty(this, '_engine', { value: engine, enumerable: false });
  Object.defineProperty(this, '_handle',
    { value: makeHandle(this, engine), writable: true, enumerable: false });
  this.bytesWritten = 0;
  this._level = engine.options.level;
  this._strategy = engine.options.strategy;
  this._closed = false;
}

const methods = {
  _transform(chunk, encoding, callback) {
    if (!ArrayBuffer.isView(chunk))
      throw invalidArgType('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    const { options } = this._engine;
    let flush = options.flush;
    if (typeof chunk[FLUSH] === 'number') {
      flush = chunk[FLUSH];
      if (this._hasFinished) { // nothing is left that could be flushed
        callback();
        return;
      }
    } else if (this.writableEnded && this.writableLength === chunk.byteLength) {
      flush = options.finishFlush;
      this._hasFinished = flush === this._engine.format.finish;
    }
    this._process(chunk, flush, callback);
  },

  _process(chunk, flush, callback) {
    this._engine.run(chunk, flush, (bytes) => this.push(bytes), (error, left) => {
      if (error) {
        this.destroy(error);
        return;
      }
      // What follows the end of the data is not part of it.
      if (left > 0) this.push(null);
      callback();
    }, (consumed) => { this.bytesWritten += consumed; }, (next) => { this._next = next; });
  },

  // Output that nobody wants yet holds up the next step.
  _read(size) {
    const next = this._next;
    if (next === undefined) {
      Transform.prototype._read.call(this, size);
      return;
    }
    this._next = undefined;
    next();
  },

  // Not documented by Node, but packages use it: all output at once, without the stream.
  _processChunk(chunk, flush, callback) {
    if (typeof callback === 'function') {
      this._process(chunk, flush, callback);
      return undefined;
    }
    const parts = [];
    const left = this._engine.runSync(chunk, flush, (bytes) => { parts.push(bytes); });
    this.bytesWritten += chunk.byteLength - left;
    return Buffer.concat(parts);
  },

  _flush(callback) {
    if (this.writableErrored || this._finishing) {
      callback();
      return;
    }
    this._finishing = true;
    const input = Buffer.alloc(0);
    this._process(input, this._engine.options.finishFlush, callback);
  },

  flush(kind, callback) {
    const isPlain = typeof kind === 'function' || (kind === undefined && !callback);
    const then = isPlain ? kind : callback;
    if (!this.writableEnded) {
      const mark = Buffer.alloc(0);
      mark[FLUSH] = isPlain ? this._engine.format.fullFlush : kind;
      this.write(mark, '', then);
    } else if (then) {
      if (this.writableFinished) process.nextTick(then);
      else this.once('end', then);
    }
  },

  params(level, strategy, callback) {
    inRange(level, 'level', -1, 9);
    inRange(strategy, 'strategy', 0, constants.Z_FIXED);
    const change = () => {
      const status = this._engine.native.params(this._engine.stream, level, strategy);
      this._level = level;
      this._strategy = strategy;
      if (callback) callback(status < 0 ? zlibFailure(status) : null);
    };
    if (level === this._level && strategy === this._strategy) process.nextTick(callback);
    else this.flush(constants.Z_SYNC_FLUSH, change);
  },

  reset() { this._engine.reset(); },

  close(callback) {
    if (callback) require('stream').finished(this, callback);
    this.destroy();
  },

  _destroy(error, callback) {
    this._handle?.close();
    this._handle = null;
    this._closed = true;
    callback(error);
  },
};

Object.setPrototypeOf(ZlibBase, Transform);
ZlibBase.prototype = Object.create(Transform.prototype,
  { constructor: { value: ZlibBase, writable: true, configurable: true } });
for (const [name, value] of Object.entries(methods))
  Object.defineProperty(ZlibBase.prototype, name, { value, writable: true, configurable: true });

defineFields(ZlibBase.prototype);

// The name that bytesWritten had at first.
const deprecated = (work) => (...args) => require('util').deprecate(work,
  'zlib.bytesRead is deprecated and will change its meaning in the future. ' +
  'Use zlib.bytesWritten instead.', 'DEP0108')(...args);
Object.defineProperty(ZlibBase.prototype, 'bytesRead', {
  configurable: true, enumerable: true,
  get() { return deprecated(() => this.bytesWritten)(); },
  set(value) { deprecated(() => { this.bytesWritten = value; })(); },
});

module.exports = ZlibBase;
