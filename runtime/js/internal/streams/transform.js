'use strict';
module.exports = Transform;
const Duplex = require('internal/streams/duplex');
const { error, getHighWaterMark } = require('internal/streams/state');

const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  const readableMark = options
    ? getHighWaterMark({ objectMode: options.readableObjectMode || options.objectMode }, options,
      'readableHighWaterMark', true) : null;
  if (readableMark === 0) {
    options = { ...options, highWaterMark: null, readableHighWaterMark: readableMark,
      writableHighWaterMark: options.writableHighWaterMark || 0 };
  }
  Duplex.call(this, options);
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', prefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

function final(callback) {
  if (typeof this._flush === 'function' && !this.destroyed) {
    this._flush((failure, data) => {
      if (failure) {
        if (callback) callback(failure);
        else this.destroy(failure);
        return;
      }
      if (data !== null && data !== undefined) this.push(data);
      this.push(null);
      if (callback) callback();
    });
  } else {
    this.push(null);
    if (callback) callback();
  }
}

function prefinish() {
  if (this._final !== final) final.call(this);
}

Transform.prototype._final = final;
Transform.prototype._transform = function _transform() {
  throw error('ERR_METHOD_NOT_IMPLEMENTED', 'The _transform() method is not implemented');
};
Transform.prototype._write = function _write(chunk, encoding, callback) {
  const readable = this._readableState;
  const writable = this._writableState;
  const { length } = readable;
  this._transform(chunk, encoding, (failure, value) => {
    if (failure) {
      callback(failure);
      return;
    }
    if (value !== null && value !== undefined) this.push(value);
    if (readable.ended) {
      process.nextTick(callback); // nothing more is taken in this turn
    } else if (writable.ended || length === readable.length ||
        readable.length < readable.highWaterMark) {
      callback();
    } else {
      this[kCallback] = callback;
    }
  });
};
Transform.prototype._read = function _read() {
  if (this[kCallback]) {
    const callback = this[kCallback];
    this[kCallback] = null;
    callback();
  }
};

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = function _transform(chunk, encoding, callback) {
  callback(null, chunk);
};
Transform.PassThrough = PassThrough;
