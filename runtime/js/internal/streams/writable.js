'use strict';
const EventEmitter = require('events');
const { Stream } = require('internal/streams/legacy');
const { captureRejectionSymbol } = EventEmitter;
const { AbortError, unknownEncoding } = require('internal/errors/errors');
const { native, describe, stateClass, WRITABLE } = require('internal/streams/core');

const CANNOT_PIPE = 12;
const NOT_IMPLEMENTED = 2;
const isInstance = Function.prototype[Symbol.hasInstance];

function Writable(options) {
  if (!isInstance.call(Writable, this) && !(this instanceof require('internal/streams/duplex'))) {
    return new Writable(options);
  }
  EventEmitter.init.call(this, options);
  native.begin(this, options, WRITABLE);
}
module.exports = Writable;
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
const WritableState = stateClass('WritableState', native.writableState, native.writableProto);
Writable.WritableState = WritableState;

// A Duplex is both, though its prototypes lead to Readable alone.
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    if (isInstance.call(this, object)) return true;
    return this === Writable && Boolean(object) && object._writableState instanceof WritableState;
  },
});

Object.assign(Writable.prototype, {
  pipe: function pipe() { native.fail(this, describe(CANNOT_PIPE)); },
  write: native.write,
  cork: native.cork,
  uncork: native.uncork,
  setDefaultEncoding(encoding) {
    const name = typeof encoding === 'string' ? encoding.toLowerCase() : encoding;
    if (!Buffer.isEncoding(name)) throw unknownEncoding(name);
    this._writableState.defaultEncoding = name;
    return this;
  },
  _write(chunk, encoding, callback) {
    if (!this._writev) throw describe(NOT_IMPLEMENTED, '_write()');
    this._writev([{ chunk, encoding }], callback);
  },
  _writev: null,
  end: native.end,
  destroy: native.destroy,
  _undestroy: native.undestroy,
  _destroy: native._destroy,
  [captureRejectionSymbol](error) { this.destroy(error); },
});

// Properties that are fields of the state, and what they are without one.
const FIELDS = {
  writableFinished: ['finished', false],
  writableObjectMode: ['objectMode', false],
  writableBuffer: ['buffered'],
  writableEnded: ['ending', false],
  writableHighWaterMark: ['highWaterMark'],
  writableCorked: ['corked', 0],
  writableLength: ['length'],
  errored: ['errored', null],
  closed: ['closed', false],
};
for (const [name, [field, absent]] of Object.entries(FIELDS)) {
  Object.defineProperty(Writable.prototype, name, {
    configurable: true,
    get() { return this._writableState ? this._writableState[field] : absent; },
  });
}

Object.defineProperty(Writable.prototype, Symbol.asyncDispose, {
  configurable: true,
  writable: true,
  value: function asyncDispose() {
    if (!this.destroyed) this.destroy(this.writableFinished ? null : new AbortError());
    return require('internal/streams/iteration').untilOver(this);
  },
});
