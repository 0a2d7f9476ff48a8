'use strict';
const EventEmitter = require('events');
const { Stream } = require('internal/streams/legacy');
const { captureRejectionSymbol } = EventEmitter;
const { native, stateClass, READABLE } = require('internal/streams/core');

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  EventEmitter.init.call(this, options);
  native.begin(this, options, READABLE);
}
module.exports = Readable;
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = stateClass('ReadableState', native.readableState, native.readableProto);

Object.assign(Readable.prototype, {
  destroy: native.destroy,
  _undestroy: native.undestroy,
  _destroy: native._destroy,
  [captureRejectionSymbol](error) { this.destroy(error); },
  push: native.push,
  unshift: native.unshift,
  isPaused: native.isPaused,
  setEncoding: native.setEncoding,
  read: native.read,
  _read: native.readNotImplemented,
  pipe: native.pipe,
  unpipe: native.unpipe,
  on: native.on,
  addListener: native.on,
  removeListener: native.removeListener,
  off: native.removeListener,
  removeAllListeners: native.removeAllListeners,
  resume: native.resume,
  pause: native.pause,
});

// Properties that are fields of the state, and what they are without one.
const FIELDS = {
  readableHighWaterMark: ['highWaterMark'],
  readableBuffer: ['buffer'],
  readableFlowing: ['flowing'],
  readableLength: ['length'],
  readableObjectMode: ['objectMode', false],
  readableEncoding: ['encoding', null],
  errored: ['errored', null],
  closed: ['closed', false],
};
for (const [name, [field, absent]] of Object.entries(FIELDS)) {
  Object.defineProperty(Readable.prototype, name, {
    configurable: true,
    get() { return this._readableState ? this._readableState[field] : absent; },
    set: name !== 'readableFlowing' ? undefined : function set(value) {
      if (this._readableState) this._readableState.flowing = value;
    },
  });
}
require('internal/streams/iteration').install(Readable);
