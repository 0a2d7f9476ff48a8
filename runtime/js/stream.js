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

module.exports = Object.assign(Stream, {
  Stream, Readable, Writable, Duplex, Transform, PassThrough: Transform.PassThrough, finished,
  pipeline, addAbortSignal, compose,
  destroy: require('internal/streams/destroy').destroyer,
  getDefaultHighWaterMark: state.getDefault,
  setDefaultHighWaterMark: state.setDefault,
  isDisturbed: (s) => Boolean(s && (s.readableDidRead || s.readableAborted)),
  isErrored: (s) => Boolean(s && s.errored),
  isReadable: (s) => Boolean(s && s.readable),
  isDestroyed: (s) => Boolean(s && s.destroyed),
});
Object.defineProperty(Stream, 'promises', {
  configurable: true, enumerable: true, get: () => require('stream/promises'),
});
for (const name of ['pipeline', 'finished']) {
  Object.defineProperty(Stream[name], promisify.custom, {
    enumerable: true, get: () => require('stream/promises')[name],
  });
}
