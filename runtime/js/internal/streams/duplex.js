'use strict';
const EventEmitter = require('events');
const { native, DUPLEX } = require('internal/streams/core');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  EventEmitter.init.call(this, options);
  native.begin(this, options, DUPLEX);
}
module.exports = Duplex;
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

// It inherits from Readable; what Writable has besides is taken over.
const taken = Object.getOwnPropertyDescriptors(Writable.prototype);
for (const name of ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end',
  'destroy', 'writableHighWaterMark', 'writableObjectMode', 'writableBuffer', 'writableLength',
  'writableFinished', 'writableCorked', 'writableEnded']) {
  Object.defineProperty(Duplex.prototype, name, taken[name]);
}
native.defineProperties(Readable.prototype, Writable.prototype, Duplex.prototype);
for (const name of ['writable', 'writableNeedDrain']) {
  Object.defineProperty(Duplex.prototype, name,
    Object.getOwnPropertyDescriptor(Writable.prototype, name));
}

Duplex.from = function from(body) {
  const { join, wrap } = require('internal/streams/compose');
  const { isNode, isReadable, isWritable } = require('internal/streams/end');
  const { kindOf, toNode } = require('internal/streams/web');
  if (body instanceof Duplex) return body;
  if (isNode(body)) {
    return join(isReadable(body) ? body : undefined, isWritable(body) ? body : undefined);
  }
  if (body instanceof Blob) return from(body.arrayBuffer());
  const kind = kindOf(body);
  if (kind === 'pair') return toNode(body);
  if (kind === 'readable') return join(Readable.fromWeb(body), undefined);
  if (kind === 'writable') return join(undefined, Writable.fromWeb(body));
  if (body && (typeof body.readable === 'object' || typeof body.writable === 'object')) {
    const { readable, writable } = body;
    if (kindOf(readable) === 'readable' && kindOf(writable) === 'writable') {
      return Duplex.fromWeb(body);
    }
    return join(kindOf(readable) === 'readable' ? Readable.fromWeb(readable) : readable,
      kindOf(writable) === 'writable' ? Writable.fromWeb(writable) : writable);
  }
  return wrap(body);
};
