'use strict';
// Node's name internal/webstreams/adapters.

const adapters = require('internal/streams/web_adapters');
const { systemError, withCode } = require('internal/errors/errors');
const { streamBaseState, kArrayBufferOffset, kLastWriteWasAsync, kReadBytesOrError } =
  require('internal/net/stream_base');

const EOF = -4095;

// A promise of a request to a handle: `ask` gives its status.
function asked(syscall, ask) {
  return new Promise((resolve, reject) => {
    const end = (status) => (status < 0 ? reject(systemError(status, syscall)) : resolve());
    const status = ask({ oncomplete: end });
    if (status !== 0) end(status);
    else if (syscall === 'write' && !streamBaseState[kLastWriteWasAsync]) resolve();
  });
}

function newWritableStreamFromStreamBase(handle, strategy) {
  return new WritableStream({
    write: (chunk) => asked('write', (req) => (typeof chunk === 'string'
      ? handle.writeUtf8String(req, chunk) : handle.writeBuffer(req, chunk))),
    close: () => asked('shutdown', (req) => handle.shutdown(req)),
  }, strategy);
}

function newReadableStreamFromStreamBase(handle, strategy) {
  if (typeof handle.onread === 'function') {
    throw withCode(TypeError, 'ERR_INVALID_STATE',
      'Invalid state: StreamBase already has a consumer');
  }
  let controller;
  handle.onread = (buffer) => {
    const count = streamBaseState[kReadBytesOrError];
    if (count === 0) return;
    if (count > 0) {
      const offset = streamBaseState[kArrayBufferOffset];
      controller.enqueue(new Uint8Array(buffer, offset, count).slice().buffer);
      if (controller.desiredSize <= 0) handle.readStop();
    } else if (count === EOF) {
      controller.close();
    } else {
      controller.error(systemError(count, 'read'));
    }
  };
  return new ReadableStream({
    start(given) { controller = given; },
    pull() { handle.readStart(); },
    cancel: () => asked('shutdown', (req) => handle.shutdown(req)),
  }, strategy);
}

module.exports = {
  newReadableStreamFromStreamBase, newWritableStreamFromStreamBase,
  newReadableStreamFromStreamReadable: adapters.readableToWeb,
  newStreamReadableFromReadableStream: adapters.readableFromWeb,
  newWritableStreamFromStreamWritable: adapters.writableToWeb,
  newStreamWritableFromWritableStream: adapters.writableFromWeb,
  newReadableWritablePairFromDuplex: adapters.duplexToWeb,
  newStreamDuplexFromReadableWritablePair: adapters.duplexFromWeb,
};
