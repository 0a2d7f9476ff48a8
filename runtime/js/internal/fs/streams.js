'use strict';
const fs = require('fs');
const { Readable, Writable, finished } = require('stream');
const { toPath, toOptions, kHold } = require('internal/fs/util');
const { invalidArgType, outOfRange, systemError, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateInteger } =
  require('internal/errors/validators');

const kFile = Symbol('kFile');

// What a stream does with its file, through the functions of fs or through those of the program
// that stand for them. A descriptor is closed only when no call uses it.
class File {
  #isBusy = false;
  #whenFree;

  constructor(calls, handle) {
    this.calls = calls;
    this.handle = handle; // a FileHandle, or undefined
  }

  // One piece of work: begin(calls, done) calls done(error, result) at its end.
  work(begin, done) {
    this.#isBusy = true;
    begin(this.calls, (error, result) => {
      this.#isBusy = false;
      done(error, result);
      this.#whenFree?.(error);
    });
  }

  // Calls back when no work is under way, with the error of the work that was.
  whenFree(callback) {
    if (this.#isBusy) this.#whenFree = callback;
    else callback();
  }
}

// fs functions over the promises of a FileHandle, so that streams know one kind of calls only.
function callsOf(handle) {
  const call = (method, pick) => (fd, ...args) => {
    const callback = args.pop();
    handle[method](...args).then((found) => callback(null, pick(found), args[0]),
      (error) => callback(error, 0, args[0]));
  };
  return {
    read: call('read', (found) => found.bytesRead), write: call('write', (found) =>
      found.bytesWritten), writev: call('writev', (found) => found.bytesWritten),
    fsync: call('sync', () => undefined), close: call('close', () => undefined),
  };
}

// A stream on a FileHandle ends with it.
function useHandle(stream, handle, isReplaced) {
  if (isReplaced) {
    throw withCode(Error, 'ERR_METHOD_NOT_IMPLEMENTED',
      'The FileHandle with fs method is not implemented');
  }
  stream[kFile] = new File(callsOf(handle), handle);
  handle[kHold](1);
  stream.fd = handle.fd;
  handle.on('close', () => stream.close());
}

// Options may be inherited.
function copyOptions(options) {
  const checked = toOptions(options, {});
  const copy = {};
  for (const key in checked) copy[key] = checked[key];
  if (options !== null && typeof options === 'object') for (const key in options)
    copy[key] = options[key];
  return copy;
}

function useName(stream, path, { flags, mode = 0o666 }, defaultFlags) {
  stream.fd = null;
  validateFunction(stream[kFile].calls.open, 'options.fs.open');
  stream.path = toPath(path);
  stream.flags = flags === undefined ? defaultFlags : flags;
  stream.mode = mode;
}

function setup(stream, path, options, defaultFlags) {
  if ('signal' in options) validateAbortSignal(options.signal ?? null, 'options.signal');
  const fd = options.fd ?? null;
  stream[kFile] = new File(options.fs || fs);
  if (fd === null) useName(stream, path, options, defaultFlags);
  else if (typeof fd === 'number') stream.fd = fd;
  else if (fd instanceof require('fs/promises').FileHandle) useHandle(stream, fd, options.fs);
  else throw invalidArgType('options.fd', ['number', 'FileHandle'], fd);
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  if (options.autoDestroy) validateFunction(stream[kFile].calls.close, 'options.fs.close');
}

const patched = { read: false, write: false };

// open() was once what programs replaced to open files in their own way.
function openMethod(kind, name, code) {
  return function open() {
    if (!patched[kind]) {
      patched[kind] = true;
      process.emitWarning(`${name}.prototype.open() is deprecated`, 'DeprecationWarning', code);
    }
  };
}
const openRead = openMethod('read', 'ReadStream', 'DEP0135');
const openWrite = openMethod('write', 'WriteStream', 'DEP0135');

function openByProgram(stream, callback) {
  const { emit } = stream;
  stream.emit = function emitOnce(...args) {
    if (args[0] === 'open') {
      this.emit = emit;
      callback();
      Reflect.apply(emit, this, args);
    } else if (args[0] === 'error') {
      this.emit = emit;
      callback(args[1]);
    } else {
      return Reflect.apply(emit, this, args);
    }
    return true;
  };
  stream.open();
}

function openFile(stream, callback) {
  stream[kFile].calls.open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) return void callback(error);
    stream.fd = fd;
    callback();
    stream.emit('open', fd);
    stream.emit('ready');
  });
}

function _construct(callback) {
  const isReplaced = this.open !== openRead && this.open !== openWrite;
  if (typeof this.fd === 'number') callback();
  else if (isReplaced) openByProgram(this, callback);
  else openFile(this, callback);
}

// The part of the file that a stream is about, and where in it the stream is; pos stays undefined
// where the file's own position counts.
function partOf({ start, end }) {
  if (start !== undefined) validateInteger(start, 'start', 0);
  if (end !== undefined && end !== Infinity) validateInteger(end, 'end', 0);
  if (start > end) throw outOfRange('start', `<= "end" (here: ${end})`, start);
  return { start, end, pos: start };
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  const own = copyOptions(options);
  if (own.highWaterMark === undefined) own.highWaterMark = 64 * 1024;
  setup(this, path, own, 'r');
  validateFunction(this[kFile].calls.read, 'options.fs.read');
  const { start, end, pos } = partOf({ start: own.start, end: own.end ?? Infinity });
  Object.assign(this, { start, end, pos, bytesRead: 0 });
  Readable.call(this, own);
  if (own.encoding) this.setEncoding(own.encoding);
}

// What both kinds of streams have.
function complete(Class, Base, state, open) {
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  Object.setPrototypeOf(Class, Base);
  Object.defineProperty(Class.prototype, 'autoClose', {
    get() { return this[state].autoDestroy; },
    set(value) { this[state].autoDestroy = value; },
  });
  Object.defineProperty(Class.prototype, 'pending', {
    configurable: true, get() { return this.fd === null; },
  });
  Class.prototype.open = open;
  Class.prototype._construct = _construct;
}
complete(ReadStream, Readable, '_readableState', openRead);

function take(stream, bytes, error, count) {
  if (stream.destroyed) return;
  if (error) {
    require('internal/streams/destroy').errorOrDestroy(stream, error);
    return;
  }
  stream.bytesRead += count;
  if (stream.pos !== undefined) stream.pos += count;
  if (count === 0) stream.push(null);
  else stream.push(count === bytes.length ? bytes : Buffer.from(bytes.subarray(0, count)));
}

ReadStream.prototype._read = function _read(size) {
  const rest = this.end + 1 - (this.pos ?? this.bytesRead);
  const length = Math.min(rest, size);
  if (length <= 0) return void this.push(null);
  const bytes = Buffer.allocUnsafe(length);
  this[kFile].work(
    (calls, done) => calls.read(this.fd, bytes, 0, length, this.pos ?? null, done),
    (error, count) => take(this, bytes, error, count));
};

function destroyFile(error, callback) {
  this[kFile].whenFree((late) => {
    this[kFile].handle?.[kHold](-1);
    const failure = error || late;
    const { fd } = this;
    if (fd === null) return void callback(failure);
    this[kFile].calls.close(fd, (unclosed) => callback(failure || unclosed));
    this.fd = null;
  });
}
ReadStream.prototype._destroy = destroyFile;

ReadStream.prototype.close = function close(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

function checkWriters(stream, options) {
  const { write, writev } = stream[kFile].calls;
  if (write === null || write === undefined) {
    validateFunction(write ?? writev, 'options.fs.write');
  }
  if (write !== undefined && write !== null) validateFunction(write, 'options.fs.write');
  if (writev !== undefined && writev !== null) validateFunction(writev, 'options.fs.writev');
  if (!write) stream._write = null;
  if (!writev) stream._writev = null;
  if (options.flush !== undefined && options.flush !== null) {
    validateBoolean(options.flush, 'options.flush');
  }
}

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  const own = { ...copyOptions(options), decodeStrings: true };
  setup(this, path, own, 'w');
  checkWriters(this, own);
  const { start, pos } = partOf({ start: own.start });
  Object.assign(this, { start, pos, bytesWritten: 0, flush: own.flush ?? false });
  Writable.call(this, own);
  if (own.encoding) this.setDefaultEncoding(own.encoding);
}
complete(WriteStream, Writable, '_writableState', openWrite);

// Those who asked for it are told that bytes are on the disk, not only on their way.
WriteStream.prototype._final = function _final(callback) {
  if (this.flush === true && this.fd !== null) this[kFile].calls.fsync(this.fd, callback);
  else callback();
};

const AGAIN = 5; // tries of a write that the system does not take yet

// Calls write(position, done), and again, until the file has all bytes. `skip(count)` makes write
// begin behind what was written.
function writeAll(stream, { write, skip }, size, position, callback, tries = 0) {
  write(position, (error, count) => {
    if (error?.code === 'EAGAIN' && tries < AGAIN) {
      writeAll(stream, { write, skip }, size, position, callback, tries + 1);
      return;
    }
    const failure = error || (stream.destroyed ? systemError(-125, 'write') : null);
    if (failure) return void callback(failure);
    stream.bytesWritten += count;
    if (count >= size) return void callback(null);
    skip(count);
    const next = position === undefined ? undefined : position + count;
    writeAll(stream, { write, skip }, size - count, next, callback);
  });
}

function startWrite(stream, size, writer, callback) {
  const position = stream.pos;
  stream[kFile].work((calls, done) => writeAll(stream, writer(calls), size, position, done),
    callback);
  if (position !== undefined) stream.pos += size;
}

WriteStream.prototype._write = function _write(data, encoding, callback) {
  let bytes = data;
  startWrite(this, data.length, (calls) => ({
    write: (at, done) => calls.write(this.fd, bytes, 0, bytes.length, at, done),
    skip(count) { bytes = bytes.subarray(count); },
  }), callback);
};

WriteStream.prototype._writev = function _writev(data, callback) {
  let list = data.map((one) => one.chunk);
  const size = list.reduce((sum, one) => sum + one.length, 0);
  startWrite(this, size, (calls) => ({
    write: (at, done) => calls.writev(this.fd, list, at ?? null, done),
    skip(count) { list = [Buffer.concat(list).subarray(count)]; },
  }), callback);
};
WriteStream.prototype._destroy = destroyFile;
WriteStream.prototype.close = function close(callback) {
  if (callback && this.closed) return void process.nextTick(callback);
  if (callback) this.on('close', callback);
  // Without autoClose nobody else destroys it at its end.
  if (!this.autoClose) this.once('finish', () => this.destroy());
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

function createReadStream(path, options) { return new ReadStream(path, options); }

function createWriteStream(path, options) { return new WriteStream(path, options); }

module.exports = { ReadStream, WriteStream, createReadStream, createWriteStream };
