'use strict';
// `_handle` of a stream and the fields around it. Not documented by Node, but packages (pngjs and
// what is built on it) derive from the classes and drive the library themselves.

function makeHandle(stream, engine) {
  return {
    // How much room and input are left stands in stream._writeState.
    writeSync(flush, input, from, length, out, at, room) {
      const result = engine.native.write(engine.stream, flush, input ?? Buffer.alloc(0), from,
        length, out.subarray(0, at + room), at);
      [, stream._writeState[1], stream._writeState[0]] = result;
      const error = engine.check(result, flush);
      if (error !== undefined) stream.destroy(error);
    },
    reset: () => engine.reset(),
    close: () => engine.close(),
  };
}

// Made when they are asked for: few programs do.
const FIELDS = {
  _writeState: () => new Uint32Array(2),
  _outBuffer: ({ options }) => Buffer.allocUnsafe(options.chunkSize),
  _outOffset: () => 0,
  _chunkSize: ({ options }) => options.chunkSize,
  _defaultFlushFlag: ({ options }) => options.flush,
  _finishFlushFlag: ({ options }) => options.finishFlush,
  _defaultFullFlushFlag: ({ format }) => format.fullFlush,
  _maxOutputLength: ({ options }) => options.maxOutputLength,
};

function defineFields(prototype) {
  for (const [name, make] of Object.entries(FIELDS)) {
    const define = (stream, value) => Object.defineProperty(stream, name,
      { value, writable: true, configurable: true, enumerable: false });
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() { return this._engine && define(this, make(this._engine))[name]; },
      set(value) { define(this, value); },
    });
  }
}

module.exports = { makeHandle, defineFields };
