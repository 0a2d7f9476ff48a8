'use strict';
// Streams of Node as web streams and back: Readable.toWeb, fromWeb and the others.

const { AbortError, invalidArgType, invalidArgValue, withCode } = require('internal/errors/errors');
const { validateBoolean, validateObject } = require('internal/errors/validators');
const { isReadableStream } = require('internal/web/readable_core');
const { isWritableStream } = require('internal/web/writable_core');
const { ReadableStream } = require('internal/web/readable');
const { WritableStream } = require('internal/web/writable');
const { CountQueuingStrategy, ByteLengthQueuingStrategy } = require('internal/web/strategies');

const Streams = () => require('stream');

function premature(error) {
  return error?.code === 'ERR_STREAM_PREMATURE_CLOSE'
    ? new AbortError(undefined, { cause: error }) : error;
}

function strategyOf(stream, state, strategy) {
  if (strategy) return strategy;
  const highWaterMark = stream[`${state}HighWaterMark`];
  if (stream[`${state}ObjectMode`]) return new CountQueuingStrategy({ highWaterMark });
  return state === 'readable' ? new ByteLengthQueuingStrategy({ highWaterMark })
    : { highWaterMark };
}

function readableToWeb(readable, options = {}) {
  if (typeof readable?._readableState !== 'object') {
    throw invalidArgType('streamReadable', 'stream.Readable', readable);
  }
  validateObject(options, 'options');
  const { finished, isDestroyed, isReadable, destroy } = Streams();
  if (isDestroyed(readable) || !isReadable(readable)) {
    const closed = new ReadableStream();
    closed.cancel();
    return closed;
  }
  const isObjects = readable.readableObjectMode;
  const strategy = strategyOf(readable, 'readable', options.strategy);
  let controller;
  let wasCancelled = false;
  const onData = (chunk) => {
    if (Buffer.isBuffer(chunk) && !isObjects) {
      chunk = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
    }
    controller.enqueue(chunk);
    if (controller.desiredSize <= 0) readable.pause();
  };
  readable.pause();
  const stop = finished(readable, { writable: false }, (error) => {
    error = premature(error);
    stop();
    readable.on('error', () => {});
    if (error) controller.error(error);
    else if (!wasCancelled) controller.close();
  });
  readable.on('data', onData);
  return new ReadableStream({
    start(given) { controller = given; },
    pull() { readable.resume(); },
    cancel(reason) {
      wasCancelled = true;
      destroy(readable, reason);
    },
  }, strategy);
}

function checkWeb(value, check, name, what) {
  if (!check(value)) throw invalidArgType(name, what, value);
}

function readableFromWeb(web, options = {}) {
  checkWeb(web, isReadableStream, 'readableStream', 'ReadableStream');
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw invalidArgValue('options.encoding', encoding);
  }
  validateBoolean(objectMode, 'options.objectMode');
  const reader = web.getReader();
  let isClosed = false;
  const readable = new (Streams().Readable)({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() {
      reader.read().then(({ value, done }) => readable.push(done ? null : value),
        (error) => readable.destroy(error));
    },
    destroy(error, callback) {
      const done = () => process.nextTick(callback, error);
      if (isClosed) done();
      else reader.cancel(error).then(done, done);
    },
  });
  reader.closed.then(() => { isClosed = true; }, (error) => {
    isClosed = true;
    readable.destroy(error);
  });
  return readable;
}

// A promise, and what settles it.
function later() {
  const made = {};
  made.promise = new Promise((resolve, reject) => { Object.assign(made, { resolve, reject }); });
  return made;
}

function writableToWeb(writable) {
  const isWritable = typeof writable?._writableState === 'object' ||
    typeof writable?.writableEnded === 'boolean';
  if (!isWritable) throw invalidArgType('streamWritable', 'stream.Writable', writable);
  const { finished, isDestroyed, isWritable: canWrite, destroy } = Streams();
  if (isDestroyed(writable) || !canWrite(writable)) {
    const closed = new WritableStream();
    closed.close();
    return closed;
  }
  let controller;
  let drained;
  let closing;
  const stop = finished(writable, { readable: false }, (error) => {
    error = premature(error);
    stop();
    writable.on('error', () => {});
    if (error) {
      drained?.reject(error);
      closing?.reject(error);
      closing = undefined;
      controller.error(error);
      return;
    }
    if (closing) {
      closing.resolve();
      closing = undefined;
      return;
    }
    controller.error(new AbortError());
    controller = undefined;
  });
  writable.on('drain', () => {
    drained?.resolve();
    drained = undefined;
  });
  return new WritableStream({
    start(given) { controller = given; },
    write(chunk) {
      if (writable.writableNeedDrain || !writable.write(chunk)) {
        drained = later();
        return drained.promise.finally(() => { drained = undefined; });
      }
      return undefined;
    },
    abort(reason) { destroy(writable, reason); },
    close() {
      if (closing === undefined && !writable.writableEnded) {
        closing = later();
        writable.end();
        return closing.promise;
      }
      return undefined;
    },
  }, strategyOf(writable, 'writable'));
}

// What Writable and Duplex share: writes go to the web stream's writer.
function writing(writer, self) {
  let isClosed = false;
  const fail = (error, callback) => {
    try {
      callback(error);
    } catch (thrown) {
      process.nextTick(() => { throw thrown; });
    }
  };
  writer.closed.then(() => {
    isClosed = true;
    const stream = self();
    if (!stream.writableEnded && !stream.destroyed) {
      stream.destroy(withCode(Error, 'ERR_STREAM_PREMATURE_CLOSE', 'Premature close'));
    }
  }, (error) => {
    isClosed = true;
    self().destroy(error);
  });
  return {
    writev(chunks, callback) {
      const done = (error) => {
        const failures = error?.filter?.(Boolean);
        fail(failures?.length > 0 ? new AggregateError(failures) : undefined, callback);
      };
      writer.ready.then(() => Promise.all(chunks.map(({ chunk }) => writer.write(chunk))))
        .then(() => done(), (error) => fail(error, callback));
    },
    write(chunk, encoding, callback) {
      writer.ready.then(() => writer.write(chunk)).then(() => fail(undefined, callback),
        (error) => fail(error, callback));
    },
    final(callback) {
      if (isClosed) callback();
      else writer.close().then(() => fail(undefined, callback), (error) => fail(error, callback));
    },
    end(error) {
      if (isClosed) return Promise.resolve();
      return error ? writer.abort(error) : writer.close();
    },
    isClosed: () => isClosed,
  };
}

function writableFromWeb(web, options = {}) {
  checkWeb(web, isWritableStream, 'writableStream', 'WritableStream');
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  let writable;
  const parts = writing(web.getWriter(), () => writable);
  writable = new (Streams().Writable)({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    writev: parts.writev,
    write: parts.write,
    final: parts.final,
    destroy(error, callback) {
      const done = () => process.nextTick(callback, error);
      parts.end(error).then(done, done);
    },
  });
  return writable;
}

function duplexToWeb(duplex) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw invalidArgType('duplex', 'stream.Duplex', duplex);
  }
  if (duplex.destroyed) {
    const writable = new WritableStream();
    const readable = new ReadableStream();
    writable.close();
    readable.cancel();
    return { readable, writable };
  }
  const writable = duplex.writable ? writableToWeb(duplex) : new WritableStream();
  if (!duplex.writable) writable.close();
  const readable = duplex.readable ? readableToWeb(duplex) : new ReadableStream();
  if (!duplex.readable) readable.cancel();
  return { writable, readable };
}

function duplexFromWeb(pair = {}, options = {}) {
  validateObject(pair, 'pair');
  const { readable: webReadable, writable: webWritable } = pair;
  checkWeb(webReadable, isReadableStream, 'pair.readable', 'ReadableStream');
  checkWeb(webWritable, isWritableStream, 'pair.writable', 'WritableStream');
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true,
    highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) {
    throw invalidArgValue('options.encoding', encoding);
  }
  let duplex;
  let isReadClosed = false;
  const parts = writing(webWritable.getWriter(), () => duplex);
  const reader = webReadable.getReader();
  duplex = new (Streams().Duplex)({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    writev: parts.writev,
    write: parts.write,
    final: parts.final,
    read() {
      reader.read().then(({ value, done }) => duplex.push(done ? null : value),
        (error) => duplex.destroy(error));
    },
    destroy(error, callback) {
      const done = () => process.nextTick(callback, error);
      Promise.all([parts.end(error), isReadClosed ? undefined : reader.cancel(error)])
        .then(done, done);
    },
  });
  reader.closed.then(() => { isReadClosed = true; }, (error) => {
    isReadClosed = true;
    duplex.destroy(error);
  });
  return duplex;
}

module.exports = {
  readableToWeb, readableFromWeb, writableToWeb, writableFromWeb, duplexToWeb, duplexFromWeb,
};
