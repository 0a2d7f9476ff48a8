'use strict';
module.exports = Duplex;
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  Readable.call(this, options);
  Writable.call(this, options);
  this.allowHalfOpen = true;
  if (options) {
    this.allowHalfOpen = options.allowHalfOpen !== false;
    if (options.readable === false) {
      this._readableState.readable = false;
      this._readableState.ended = true;
      this._readableState.endEmitted = true;
    }
    if (options.writable === false) {
      this._writableState.writable = false;
      this._writableState.ending = true;
      this._writableState.ended = true;
      this._writableState.finished = true;
    }
  }
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

for (const name of Reflect.ownKeys(Writable.prototype)) {
  if (name === 'constructor' || Object.hasOwn(Duplex.prototype, name)) continue;
  const descriptor = Object.getOwnPropertyDescriptor(Writable.prototype, name);
  if (typeof descriptor.value === 'function' && name in Readable.prototype &&
      name !== 'destroy') continue;
  if (['destroyed', 'closed', 'errored'].includes(name)) continue;
  Object.defineProperty(Duplex.prototype, name, descriptor);
}
Object.defineProperty(Duplex.prototype, 'destroyed', {
  configurable: true,
  get() {
    return Boolean(this._readableState && this._writableState) &&
      this._readableState.destroyed && this._writableState.destroyed;
  },
  set(value) {
    if (this._readableState && this._writableState) {
      this._readableState.destroyed = value;
      this._writableState.destroyed = value;
    }
  },
});

Duplex.from = (body) => {
  if (body instanceof Duplex) return body;
  const { join } = require('internal/streams/compose');
  const { isNode, isReadable, isWritable } = require('internal/streams/end');
  if (isNode(body)) {
    return join(isReadable(body) ? body : undefined, isWritable(body) ? body : undefined);
  }
  if (body instanceof Blob) return Duplex.from(body.arrayBuffer());
  if (body instanceof ReadableStream) return join(Readable.fromWeb(body), undefined);
  if (body instanceof WritableStream) return join(undefined, Writable.fromWeb(body));
  if (body && typeof body.readable === 'object' && body.readable instanceof ReadableStream &&
      body.writable instanceof WritableStream) return Duplex.fromWeb(body);
  if (body && (typeof body.readable === 'object' || typeof body.writable === 'object')) {
    const { readable, writable } = body;
    return join(readable instanceof ReadableStream ? Readable.fromWeb(readable) : readable,
      writable instanceof WritableStream ? Writable.fromWeb(writable) : writable);
  }
  return require('internal/streams/compose').wrap(body);
};
