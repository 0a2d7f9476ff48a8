'use strict';
// Compression: at once, on the thread pool with a callback, and as streams.

const native = binding('zlib');
const { invalidArgType, outOfRange, validateFunction, withCode } = require('internal/errors');
const Transform = require('internal/streams/transform');

const constants = {
  Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_BLOCK: 5,
  Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3,
  Z_MEM_ERROR: -4, Z_BUF_ERROR: -5, Z_VERSION_ERROR: -6, Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1, Z_FILTERED: 1, Z_HUFFMAN_ONLY: 2, Z_RLE: 3,
  Z_FIXED: 4, Z_DEFAULT_STRATEGY: 0, ZLIB_VERNUM: native.version ?? 0, DEFLATE: 1, INFLATE: 2,
  GZIP: 3, GUNZIP: 4, DEFLATERAW: 5, INFLATERAW: 6, UNZIP: 7, Z_MIN_WINDOWBITS: 8,
  Z_MAX_WINDOWBITS: 15, Z_DEFAULT_WINDOWBITS: 15, Z_MIN_CHUNK: 64, Z_MAX_CHUNK: Infinity,
  Z_DEFAULT_CHUNK: 16384, Z_MIN_MEMLEVEL: 1, Z_MAX_MEMLEVEL: 9, Z_DEFAULT_MEMLEVEL: 8,
  Z_MIN_LEVEL: -1, Z_MAX_LEVEL: 9, Z_DEFAULT_LEVEL: -1, BROTLI_OPERATION_PROCESS: 0,
  BROTLI_OPERATION_FLUSH: 1, BROTLI_OPERATION_FINISH: 2, BROTLI_PARAM_QUALITY: 1,
};
const { Z_NO_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_STREAM_END, Z_NEED_DICT,
  Z_BUF_ERROR } = constants;

const CODES = ['Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR',
  'Z_MEM_ERROR', 'Z_BUF_ERROR', 'Z_VERSION_ERROR'];
const codes = {};
for (const name of CODES) codes[name] = constants[name];
for (const name of CODES) codes[constants[name]] = name;

const WORDS = { Z_NEED_DICT: 'Missing dictionary', Z_BUF_ERROR: 'unexpected end of file',
  Z_MEM_ERROR: 'not enough memory', Z_STREAM_ERROR: 'stream error' };

function failure(status, text) {
  const code = codes[status];
  const error = new Error(text ?? WORDS[code] ?? 'Zlib error');
  error.errno = status;
  error.code = code;
  return error;
}

// What is wrong after a step, if anything is.
function check(engine, [status, , outLeft, text], flush) {
  if (status === Z_NEED_DICT)
    return failure(status, engine.options.dictionary ? 'Bad dictionary' : undefined);
  if (status >= 0 || status === Z_BUF_ERROR) {
    const isCut = status !== Z_STREAM_END && outLeft !== 0 && flush === Z_FINISH;
    return isCut ? failure(Z_BUF_ERROR) : undefined;
  }
  return failure(status, text);
}

function number(options, name, min, max, otherwise) {
  return inRange(options[name], `options.${name}`, min, max, otherwise);
}

function inRange(value, name, min, max, otherwise) {
  if (value === undefined || Number.isNaN(value)) return otherwise;
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if (!Number.isFinite(value)) throw outOfRange(name, 'a finite number', value);
  if (value < min || value > max) {
    throw outOfRange(name, max === Infinity ? `>= ${min}` : `>= ${min} and <= ${max}`, value);
  }
  return value;
}

function checkedOptions(mode, given = {}) {
  if (native.create === undefined) {
    throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      'This phasor was built without zlib');
  }
  const options = given ?? {};
  let { dictionary } = options;
  if (dictionary instanceof ArrayBuffer) dictionary = Buffer.from(dictionary);
  if (dictionary !== undefined && !ArrayBuffer.isView(dictionary)) {
    throw invalidArgType('options.dictionary',
      ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
  }
  const opens = mode === constants.INFLATE || mode === constants.GUNZIP ||
    mode === constants.UNZIP;
  return {
    chunkSize: number(options, 'chunkSize', 64, Infinity, 16384),
    flush: number(options, 'flush', Z_NO_FLUSH, Z_BLOCK, Z_NO_FLUSH),
    finishFlush: number(options, 'finishFlush', Z_NO_FLUSH, Z_BLOCK, Z_FINISH),
    maxOutputLength: number(options, 'maxOutputLength', 1, Infinity, Infinity),
    // 0: as the data says
    windowBits: opens && options.windowBits === 0 ? 15
      : number(options, 'windowBits', mode === constants.GZIP ? 9 : 8, 15, 15),
    level: number(options, 'level', -1, 9, -1),
    memLevel: number(options, 'memLevel', 1, 9, 8),
    strategy: number(options, 'strategy', 0, 4, 0),
    dictionary,
  };
}

// A stream of the library with its options, and the steps through one piece of input.
class Engine {
  constructor(mode, given) {
    this.options = checkedOptions(mode, given);
    const { level, windowBits, memLevel, strategy, dictionary } = this.options;
    // Raw data can't say that its window is 256 bytes.
    const bits = mode === constants.DEFLATERAW && windowBits === 8 ? 9 : windowBits;
    this.stream = native.create(mode, level, bits, memLevel, strategy, dictionary);
    if (typeof this.stream === 'number')
      throw withCode(Error, 'ERR_ZLIB_INITIALIZATION_FAILED', 'Initialization failed');
    this.room = undefined;
    this.used = 0;
  }

  // onBytes(bytes) for each piece of output; false stops.
  take(result, onBytes) {
    const end = this.room.length - result[2];
    const piece = this.room.subarray(this.used, end);
    this.used = end;
    if (result[2] === 0) this.room = undefined;
    return piece.length === 0 || onBytes(piece) !== false;
  }

  prepare() {
    if (this.room !== undefined) return;
    this.room = Buffer.allocUnsafeSlow(this.options.chunkSize);
    this.used = 0;
  }

  // Gives how many bytes of input were left over.
  runSync(input, flush, onBytes) {
    for (let left = input.byteLength; ;) {
      this.prepare();
      const result = native.write(this.stream, flush, input, input.byteLength - left, left,
        this.room, this.used);
      const error = check(this, result, flush);
      if (error) throw error;
      left = result[1];
      const isFull = result[2] === 0;
      if (!this.take(result, onBytes)) return left;
      if (!isFull) return left;
    }
  }

  run(input, flush, onBytes, callback) {
    let left = input.byteLength;
    const next = () => {
      if (this.stream === undefined) return;
      this.prepare();
      native.write(this.stream, flush, input, input.byteLength - left, left, this.room, this.used,
        onStep);
    };
    const onStep = (result) => {
      if (this.stream === undefined) return;
      const error = check(this, result, flush);
      if (error) {
        callback(error);
        return;
      }
      left = result[1];
      const isFull = result[2] === 0;
      const goesOn = this.take(result, onBytes);
      if (isFull && goesOn) next();
      else callback(null, left);
    };
    next();
  }

  close() {
    if (this.stream !== undefined) native.close(this.stream);
    this.stream = undefined;
  }
}

const FLUSH = Symbol('flush');

class ZlibBase extends Transform {
  constructor(mode, options) {
    const engine = new Engine(mode, options);
    super({ autoDestroy: true, ...options });
    Object.defineProperty(this, '_engine', { value: engine, enumerable: false });
    Object.defineProperty(this, '_handle',
      { value: { close: () => engine.close() }, writable: true, enumerable: false });
    this.bytesWritten = 0;
    this._level = engine.options.level;
    this._strategy = engine.options.strategy;
    this._closed = false;
  }

  _transform(chunk, encoding, callback) {
    const { options } = this._engine;
    let flush = options.flush;
    if (typeof chunk[FLUSH] === 'number') flush = chunk[FLUSH];
    else if (this.writableEnded && this.writableLength === chunk.byteLength)
      flush = options.finishFlush;
    this._process(chunk, flush, callback);
  }

  _process(chunk, flush, callback) {
    this._engine.run(chunk, flush, (bytes) => { this.push(bytes); }, (error, left) => {
      if (error) {
        this.destroy(error);
        return;
      }
      this.bytesWritten += chunk.byteLength - left;
      // What follows the end of the data is not part of it.
      if (left > 0) this.push(null);
      callback();
    });
  }

  // Not documented by Node, but packages use it: all output at once, without the stream.
  _processChunk(chunk, flush, callback) {
    if (typeof callback === 'function') {
      this._process(chunk, flush, callback);
      return undefined;
    }
    const parts = [];
    const left = this._engine.runSync(chunk, flush, (bytes) => { parts.push(bytes); });
    this.bytesWritten += chunk.byteLength - left;
    return Buffer.concat(parts);
  }

  _flush(callback) {
    if (this.writableErrored || this._finishing) {
      callback();
      return;
    }
    this._finishing = true;
    const input = Buffer.alloc(0);
    this._process(input, this._engine.options.finishFlush, callback);
  }

  flush(kind, callback) {
    if (typeof kind === 'function' || (kind === undefined && !callback)) {
      callback = kind;
      kind = Z_FULL_FLUSH;
    }
    if (this.writableFinished) {
      if (callback) process.nextTick(callback);
    } else if (this.writableEnded) {
      if (callback) this.once('end', callback);
    } else {
      const mark = Buffer.alloc(0);
      mark[FLUSH] = kind;
      this.write(mark, '', callback);
    }
  }

  params(level, strategy, callback) {
    inRange(level, 'level', constants.Z_MIN_LEVEL ?? -1, 9);
    inRange(strategy, 'strategy', 0, constants.Z_FIXED);
    const change = () => {
      const status = native.params(this._engine.stream, level, strategy);
      this._level = level;
      this._strategy = strategy;
      if (callback) callback(status < 0 ? failure(status) : null);
    };
    if (level === this._level && strategy === this._strategy) process.nextTick(callback);
    else this.flush(constants.Z_SYNC_FLUSH, change);
  }

  reset() { native.reset(this._engine.stream); }

  close(callback) {
    if (callback) require('stream').finished(this, callback);
    this.destroy();
  }

  _destroy(error, callback) {
    this._handle?.close();
    this._handle = null;
    this._closed = true;
    callback(error);
  }
}

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

function wholeSync(mode, Class, buffer, options) {
  const input = bytesOf(buffer);
  const engine = new Engine(mode, options);
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

function whole(mode, Class, buffer, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const input = bytesOf(buffer);
  const engine = new Engine(mode, options);
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
  require('internal/validators').validateUint32(start, 'value');
  return native.crc32(typeof data === 'string' ? Buffer.from(data) : data, start);
}

function named(name, work) {
  Object.defineProperty(work, 'name', { value: name });
  return work;
}

Object.freeze(constants);
Object.freeze(codes);
module.exports = { crc32 };
for (const [name, value] of Object.entries({ constants, codes })) {
  Object.defineProperty(module.exports, name,
    { value, enumerable: true, writable: false, configurable: false });
}
for (const [name, mode] of Object.entries({ Deflate: 1, Inflate: 2, Gzip: 3, Gunzip: 4,
  DeflateRaw: 5, InflateRaw: 6, Unzip: 7 })) {
  // Called with new and without.
  const Class = named(name, function(options) {
    return Reflect.construct(ZlibBase, [mode, options], new.target ?? Class);
  });
  Object.setPrototypeOf(Class, ZlibBase);
  Class.prototype = Object.create(ZlibBase.prototype,
    { constructor: { value: Class, writable: true, configurable: true } });
  const base = name[0].toLowerCase() + name.slice(1);
  module.exports[name] = Class;
  module.exports[`create${name}`] = named(`create${name}`, (options) => new Class(options));
  module.exports[base] = named(base,
    (buffer, options, callback) => whole(mode, Class, buffer, options, callback));
  module.exports[`${base}Sync`] = named(`${base}Sync`,
    (buffer, options) => wholeSync(mode, Class, buffer, options));
}

for (const name of ['brotliCompress', 'brotliCompressSync', 'brotliDecompress',
  'brotliDecompressSync', 'createBrotliCompress', 'createBrotliDecompress']) {
  module.exports[name] = named(name, () => {
    throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
      `zlib.${name} is not available: phasor has no brotli`);
  });
}
for (const name of Object.keys(constants)) {
  if (name.startsWith('Z_') || /^(DEFLATE|INFLATE|GUNZIP|GZIP|UNZIP)/.test(name)) {
    Object.defineProperty(module.exports, name,
      { value: constants[name], enumerable: false, configurable: false, writable: false });
  }
}
