'use strict';
const Duplex = require('internal/streams/duplex');
const { native } = require('internal/streams/core');

// What is read is not stored: with a mark of 0 only the writable side has a place, for one chunk.
function withoutStore(options) {
  return { ...options, highWaterMark: null, readableHighWaterMark: 0,
    writableHighWaterMark: options.writableHighWaterMark || 0 };
}

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  const mark = options?.highWaterMark ?? options?.readableHighWaterMark;
  Duplex.call(this, mark === 0 ? withoutStore(options) : options);
  // Reading is not what calls push(): writing is.
  this._readableState.sync = false;
  if (typeof options?.transform === 'function') this._transform = options.transform;
  if (typeof options?.flush === 'function') this._flush = options.flush;
  this.on('prefinish', prefinish);
}
module.exports = Transform;
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);
Object.assign(Transform.prototype, {
  _final: native.transformFinal,
  _transform: native.transformNotImplemented,
  _write: native.transformWrite,
  _read: native.transformRead,
});

// A program that has a _final of its own is flushed all the same.
function prefinish() {
  if (this._final !== native.transformFinal) native.transformFinal.call(this);
}

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Transform.PassThrough = PassThrough;
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = native.pass;
