'use strict';
// Compression: at once, on the thread pool with a callback, and as streams.

const native = binding('zlib');
const { invalidArgType, withCode } = require('internal/errors/errors');
const { validateFunction } = require('internal/errors/validators');
const { constants, codes } = require('internal/zlib/constants');
const { BrotliFormat, ZlibFormat, ZstdFormat } = require('internal/zlib/formats');
const Engine = require('internal/zlib/engine');
const ZlibBase = require('internal/zlib/stream');

function tooLarge(limit) {
  return withCode(RangeError, 'ERR_BUFFER_TOO_LARGE',
    `Cannot create a Buffer larger than ${limit} bytes`);
}

function bytesOf(buffer) {
  if (typeof buffer === 'string') return Buffer.from(buffer);
  if (ArrayBuffer.isView(buffer)) return buffer;
  if (buffer instanceof ArrayBuffer || buffer instanceof SharedArrayBuffer)
    return Buffer.from(buffer);
  throw invalidArgType('buffer',
    ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
}

// Collects output, up to the limit.
function collector(limit) {
  const parts = [];
  let length = 0;
  return {
    add(bytes) {
      parts.push(bytes);
      length += bytes.length;
      return length <= limit;
    },
    isOver: () => length > limit,
    whole: () => (parts.length === 1 ? parts[0] : Buffer.concat(parts, length)),
  };
}

function wholeSync(format, Class, buffer, options) {
  const input = bytesOf(buffer);
  const engine = new Engine(format, options);
  const { maxOutputLength, finishFlush } = engine.options;
  const out = collector(maxOutputLength);
  try {
    engine.runSync(input, finishFlush, out.add);
  } finally {
    engine.close();
  }
  if (out.isOver()) throw tooLarge(maxOutputLength);
  return options?.info ? { buffer: out.whole(), engine: new Class(options) } : out.whole();
}

function whole(format, Class, buffer, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const input = bytesOf(buffer);
  const engine = new Engine(format, options);
  const { maxOutputLength, finishFlush } = engine.options;
  const out = collector(maxOutputLength);
  engine.run(input, finishFlush, out.add, (error) => {
    engine.close();
    if (error) callback(error);
    else if (out.isOver()) callback(tooLarge(maxOutputLength));
    else if (options?.info) callback(null, { buffer: out.whole(), engine: new Class(options) });
    else callback(null, out.whole());
  });
}

function crc32(data, start = 0) {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data))
    throw invalidArgType('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  require('internal/errors/validators').validateUint32(start, 'value');
  return native.crc32(typeof data === 'string' ? Buffer.from(data) : data, start);
}

function named(name, work) {
  Object.defineProperty(work, 'name', { value: name });
  return work;
}

module.exports = { crc32 };
for (const [name, value] of Object.entries({ constants, codes })) {
  Object.defineProperty(module.exports, name,
    { value, enumerable: true, writable: false, configurable: false });
}

const FORMATS = {
  Deflate: new ZlibFormat(1), Inflate: new ZlibFormat(2), Gzip: new ZlibFormat(3),
  Gunzip: new ZlibFormat(4), DeflateRaw: new ZlibFormat(5), InflateRaw: new ZlibFormat(6),
  Unzip: new ZlibFormat(7), BrotliCompress: new BrotliFormat(true),
  BrotliDecompress: new BrotliFormat(false), ZstdCompress: new ZstdFormat(true),
  ZstdDecompress: new ZstdFormat(false),
};
for (const [name, format] of Object.entries(FORMATS)) {
  // Called with new and without.
  const Class = named(name, function(options) {
    if (!(this instanceof Class)) return new Class(options);
    ZlibBase.call(this, format, options);
    return undefined;
  });
  Object.setPrototypeOf(Class, ZlibBase);
  Class.prototype = Object.create(ZlibBase.prototype,
    { constructor: { value: Class, writable: true, configurable: true } });
  const base = name[0].toLowerCase() + name.slice(1);
  module.exports[name] = Class;
  module.exports[`create${name}`] = named(`create${name}`, (options) => new Class(options));
  module.exports[base] = named(base,
    (buffer, options, callback) => whole(format, Class, buffer, options, callback));
  module.exports[`${base}Sync`] = named(`${base}Sync`,
    (buffer, options) => wholeSync(format, Class, buffer, options));
}

for (const name of Object.keys(constants)) {
  if (name.startsWith('Z_') || /^(DEFLATE|INFLATE|GUNZIP|GZIP|UNZIP)/.test(name)) {
    Object.defineProperty(module.exports, name,
      { value: constants[name], enumerable: false, configurable: false, writable: false });
  }
}
