'use strict';
// What the libraries differ in: options, how a stream is made, and what their errors are called.

const { invalidArgType, outOfRange, withCode } = require('internal/errors/errors');
const { constants, codes, nameOf } = require('internal/zlib/constants');
const { kMaxLength } = require('buffer');

function inRange(value, name, min, max, otherwise) {
  if (value === undefined || Number.isNaN(value)) return otherwise;
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if (!Number.isFinite(value)) throw outOfRange(name, 'a finite number', value);
  if (value < min || value > max) {
    throw outOfRange(name, max === Infinity ? `>= ${min}` : `>= ${min} and <= ${max}`, value);
  }
  return value;
}

function failure(errno, code, text) {
  const error = new Error(text);
  error.errno = errno;
  error.code = code;
  return error;
}

const cutShort = () => failure(constants.Z_BUF_ERROR, 'Z_BUF_ERROR', 'unexpected end of file');
const badStart = (why = 'Initialization failed') =>
  withCode(Error, 'ERR_ZLIB_INITIALIZATION_FAILED', why);

// Options of all libraries; flushes go from 0 to `last`, and `finish` ends a stream.
function commonOptions(options, last, finish) {
  return {
    chunkSize: inRange(options.chunkSize, 'options.chunkSize', 64, Infinity, 16384),
    flush: inRange(options.flush, 'options.flush', 0, last, 0),
    finishFlush: inRange(options.finishFlush, 'options.finishFlush', 0, last, finish),
    maxOutputLength: inRange(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength,
      kMaxLength),
  };
}

const WORDS = { Z_NEED_DICT: 'Missing dictionary', Z_BUF_ERROR: 'unexpected end of file',
  Z_MEM_ERROR: 'not enough memory', Z_STREAM_ERROR: 'stream error' };

function zlibFailure(status, text) {
  return failure(status, codes[status], text ?? WORDS[codes[status]] ?? 'Zlib error');
}

const WITHOUT = 'This phasor was built without zlib';

class ZlibFormat {
  native = binding('zlib');

  finish = constants.Z_FINISH;

  fullFlush = constants.Z_FULL_FLUSH;

  constructor(mode) { this.mode = mode; }

  options(options) {
    const { mode, native } = this;
    if (native.create === undefined)
      throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', WITHOUT);
    let { dictionary } = options;
    const number = (name, min, max, otherwise) =>
      inRange(options[name], `options.${name}`, min, max, otherwise);
    const common = commonOptions(options, constants.Z_BLOCK, constants.Z_FINISH);
    // 0: as the data says
    const opens = mode === constants.INFLATE || mode === constants.GUNZIP ||
      mode === constants.UNZIP;
    const windowBits = opens && (options.windowBits == null || options.windowBits === 0) ? 15
      : number('windowBits', mode === constants.GZIP ? 9 : 8, 15, 15);
    const level = number('level', -1, 9, -1);
    const memLevel = number('memLevel', 1, 9, 8);
    const strategy = number('strategy', 0, 4, 0);
    if (require('util').types.isAnyArrayBuffer(dictionary)) dictionary = Buffer.from(dictionary);
    if (dictionary !== undefined && !ArrayBuffer.isView(dictionary)) {
      throw invalidArgType('options.dictionary',
        ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
    }
    return { ...common, windowBits, level, memLevel, strategy, dictionary };
  }

  create({ level, windowBits, memLevel, strategy, dictionary }) {
    // Raw data can't say that its window is 256 bytes.
    const bits = this.mode === constants.DEFLATERAW && windowBits === 8 ? 9 : windowBits;
    const made = this.native.create(this.mode, level, bits, memLevel, strategy, dictionary);
    if (typeof made === 'number') throw badStart();
    return made;
  }

  // What is wrong with a step's result, if anything is.
  check([status, , , text], options) {
    if (status === constants.Z_NEED_DICT)
      return zlibFailure(status, options.dictionary ? 'Bad dictionary' : undefined);
    if (status >= 0 || status === constants.Z_BUF_ERROR) return undefined;
    return zlibFailure(status, text);
  }
}

// Keys as the program wrote them: each once, each known.
function readParameters(params, isKnown, refuse) {
  const values = new Map();
  for (const written of Object.keys(params ?? {})) {
    const key = +written;
    if (!Number.isInteger(key) || !isKnown(key) || values.has(key)) throw refuse(written);
    const value = params[written];
    if (typeof value !== 'number' && typeof value !== 'boolean')
      throw invalidArgType('options.params[key]', 'number', value);
    values.set(key, Math.trunc(Number(value)) || 0);
  }
  return [...values].flat();
}

class BrotliFormat {
  finish = constants.BROTLI_OPERATION_FINISH;

  fullFlush = constants.BROTLI_OPERATION_FLUSH;

  constructor(compresses) { this.compresses = compresses; }

  get native() { return binding('brotli'); }

  options(options) {
    const common = commonOptions(options, constants.BROTLI_OPERATION_EMIT_METADATA, this.finish);
    const last = constants.BROTLI_PARAM_NDIRECT;
    const parameters = readParameters(options.params, (key) => key >= 0 && key <= last,
      (key) => withCode(RangeError, 'ERR_BROTLI_INVALID_PARAM',
        `${key} is not a valid Brotli parameter`));
    return { ...common, parameters };
  }

  create({ parameters }) {
    const made = this.native.create(this.compresses, parameters);
    if (made === null) throw badStart();
    return made;
  }

  check([status, , , text]) {
    if (status >= 0) return undefined;
    const name = this.compresses ? '_COMPRESSION_FAILED'
      : nameOf('BROTLI_DECODER_ERROR', status)?.slice('BROTLI_DECODER'.length);
    return failure(status, this.compresses ? 'ERR_BROTLI_COMPRESSION_FAILED' : `ERR_${name}`, text);
  }
}

function checkedSize(size) {
  if (size === undefined) return undefined;
  if (typeof size !== 'number')
    throw withCode(TypeError, 'ERR_INVALID_ARG_TYPE', 'pledgedSrcSize must be a number');
  if (!(size >= 0))
    throw withCode(RangeError, 'ERR_OUT_OF_RANGE', 'pledgedSrcSize must be non-negative');
  return size;
}

class ZstdFormat {
  finish = constants.ZSTD_e_end;

  fullFlush = constants.ZSTD_e_flush;

  constructor(compresses) { this.compresses = compresses; }

  get native() { return binding('zstd'); }

  options(options) {
    const common = commonOptions(options, constants.ZSTD_e_end, this.finish);
    const prefix = this.compresses ? 'ZSTD_c_' : 'ZSTD_d_';
    const parameters = readParameters(options.params, (key) => nameOf(prefix, key) !== undefined,
      (key) => withCode(RangeError, 'ERR_ZSTD_INVALID_PARAM',
        `${key} is not a valid zstd parameter`));
    const { dictionary } = options;
    const hasOne = ArrayBuffer.isView(dictionary) ||
      require('util').types.isAnyArrayBuffer(dictionary);
    return { ...common, parameters, size: checkedSize(options.pledgedSrcSize),
      dictionary: hasOne ? dictionary : undefined };
  }

  create({ parameters, size, dictionary }) {
    const made = this.native.create(this.compresses, parameters, size, dictionary);
    if (made === null) throw badStart('Setting parameter failed');
    return made;
  }

  check([status, , , text]) {
    if (status >= 0) return undefined;
    return failure(-status, nameOf('ZSTD_error_', -status) ?? 'ZSTD_error_GENERIC', text);
  }
}

module.exports = { BrotliFormat, ZlibFormat, ZstdFormat, cutShort, inRange, zlibFailure };
