'use strict';
const { Stream } = require('internal/streams/legacy');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const Duplex = require('internal/streams/duplex');
const Transform = require('internal/streams/transform');
const { finished } = require('internal/streams/end');
const { pipeline } = require('internal/streams/pipeline');
const { addAbortSignal } = require('internal/streams/abort');
const { compose } = require('internal/streams/compose');
const state = require('internal/streams/state');
const { promisify } = require('util');

function webForms(Class, name) {
  Class.toWeb = function toWeb(...args) {
    return require('internal/streams/web_adapters')[`${name}ToWeb`](...args);
  };
  Class.fromWeb = function fromWeb(...args) {
    return require('internal/streams/web_adapters')[`${name}FromWeb`](...args);
  };
}
webForms(Readable, 'readable');
webForms(Writable, 'writable');
webForms(Duplex, 'duplex');

module.exports = Object.assign(Stream, {
  Stream, Readable, Writable, Duplex, Transform, PassThrough: Transform.PassThrough, finished,
  pipeline, addAbortSignal, compose,
  destroy: require('internal/streams/destroy').destroyer,
  getDefaultHighWaterMark: state.getDefault,
  setDefaultHighWaterMark: state.setDefault,
  isDisturbed: (s) => Boolean(s && (s[Symbol.for('nodejs.stream.disturbed')] ??
    (s.readableDidRead || s.readableAborted))),
  isErrored: (s) => Boolean(s && (s[Symbol.for('nodejs.stream.errored')] ?? s.errored)),
  isReadable(s) {
    const isWeb = s?.[Symbol.for('nodejs.stream.readable')];
    if (isWeb !== undefined) return isWeb;
    return s && typeof s.readable !== 'boolean' ? null : Boolean(s && s.readable);
  },
  isWritable: (s) => (s && typeof s.writable !== 'boolean' ? null : Boolean(s && s.writable)),
  isDestroyed: (s) => Boolean(s && s.destroyed),
  duplexPair: (options) => require('internal/streams/compose').pair(options),
});
Object.defineProperty(Stream, 'promises', {
  configurable: true, enumerable: true, get: () => require('stream/promises'),
});
for (const name of ['pipeline', 'finished']) {
  Object.defineProperty(Stream[name], promisify.custom, {
    enumerable: true, get: () => require('stream/promises')[name],
  });
}
