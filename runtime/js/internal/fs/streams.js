'use strict';
const fs = require('fs');
const { Readable, Writable, finished } = require('stream');
const { toPath, toOptions } = require('internal/fs/util');
const { invalidArgType, outOfRange, validateAbortSignal, validateBoolean, validateFunction,
  validateInteger, systemError, withCode } = require('internal/errors/validators');

const kIsBusy = Symbol('kIsBusy');
const kHandle = Symbol('kHandle');
const kFs = Symbol('kFs');

// fs functions over the promises of a FileHandle, so that streams know one kind of calls only.
function functionsOf(handle) {
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

function importFd(stream, options) {
  if (typeof options.fd === 'number') {
    stream[kFs] = options.fs || fs;
    return options.fd;
  }
  const { FileHandle } = require('fs/promises');
  if (options.fd !== null && typeof options.fd === 'object' && options.fd instanceof FileHandle) {
    if (options.fs) {
      throw withCode(Error, 'ERR_METHOD_NOT_IMPLEMENTED',
        'The FileHandle with fs method is not implemented');
    }
    stream[kHandle] = options.fd;
    stream[kFs] = functionsOf(options.fd);
    options.fd.on('close', () => stream.close());
    return options.fd.fd;
  }
  throw invalidArgType('options.fd', ['number', 'FileHandle'], options.fd);
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

function setup(stream, path, options, flags) {
  if ('signal' in options) validateAbortSignal(options.signal ?? null, 'options.signal');
  if (options.fd === null || options.fd === undefined) {
    stream.fd = null;
    stream[kFs] = options.fs || fs;
    validateFunction(stream[kFs].open, 'options.fs.open');
    stream.path = toPath(path);
    stream.flags = options.flags === undefined ? flags : options.flags;
    stream.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    stream.fd = importFd(stream, options);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  if (options.autoDestroy) validateFunction(stream[kFs].close, 'options.fs.close');
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

function _construct(callback) {
  const stream = this;
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  if (stream.open !== openRead && stream.open !== openWrite) {
    openByProgram(stream, callback);
    return;
  }
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    stream.fd = fd;
    callback();
    stream.emit('open', stream.fd);
    stream.emit('ready');
  });
}

function closeFile(stream, error, callback) {
  const { fd } = stream;
  stream[kFs].close(fd, (failure) => callback(error || failure));
  stream.fd = null;
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
  validateFunction(this[kFs].read, 'options.fs.read');
  const { start, end, pos } = partOf({ start: own.start, end: own.end ?? Infinity });
  Object.assign(this, { start, end, pos, bytesRead: 0, [kIsBusy]: false });
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

ReadStream.prototype._read = function _read(n) {
  n = this.pos !== undefined ? Math.min(this.end - this.pos + 1, n)
    : Math.min(this.end - this.bytesRead + 1, n);
  if (n <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafe(n);
  this[kIsBusy] = true;
  this[kFs].read(this.fd, buffer, 0, n, this.pos ?? null, (error, count) => {
    this[kIsBusy] = false;
    if (this.destroyed) {
      this.emit(kIsBusy, error);
      return;
    }
    if (error) {
      require('internal/streams/destroy').errorOrDestroy(this, error);
    } else if (count > 0) {
      if (this.pos !== undefined) this.pos += count;
      this.bytesRead += count;
      this.push(count === buffer.length ? buffer : Buffer.from(buffer.subarray(0, count)));
    } else {
      this.push(null);
    }
  });
};

function destroyFile(error, callback) {
  const close = (failure) => {
    if (this.fd === null) callback(failure);
    else closeFile(this, failure, callback);
  };
  // A descriptor is closed only when nothing uses it.
  if (this[kIsBusy]) this.once(kIsBusy, (failure) => close(error || failure));
  else close(error);
}
ReadStream.prototype._destroy = destroyFile;

ReadStream.prototype.close = function close(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

function checkWriters(stream, options) {
  const { write, writev } = stream[kFs];
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
  Object.assign(this, { start, pos, bytesWritten: 0, flush: own.flush ?? false, [kIsBusy]: false });
  Writable.call(this, own);
  if (own.encoding) this.setDefaultEncoding(own.encoding);
}
complete(WriteStream, Writable, '_writableState', openWrite);

// Those who asked for it are told that bytes are on the disk, not only on their way.
WriteStream.prototype._final = function _final(callback) {
  if (this.flush === true && this.fd !== null) this[kFs].fsync(this.fd, callback);
  else callback();
};

const AGAIN = 5; // tries of a write that the system does not take yet

function retried(stream, write, bytes, position, callback, tries = 0) {
  write(position, (error, count) => {
    if (error && error.code === 'EAGAIN' && tries < AGAIN) {
      retried(stream, write, bytes, position, callback, tries + 1);
      return;
    }
    if (stream.destroyed || error) {
      callback(error || systemError(-125, 'write'));
      return;
    }
    stream.bytesWritten += count;
    callback(null, count);
  });
}

function writeAll(stream, bytes, position, callback) {
  const write = (at, done) => stream[kFs].write(stream.fd, bytes, 0, bytes.length, at, done);
  retried(stream, write, bytes, position, (error, count) => {
    if (error || count >= bytes.length) {
      callback(error);
      return;
    }
    writeAll(stream, bytes.subarray(count), position === undefined ? undefined : position + count,
      callback);
  });
}

function writeList(stream, list, size, position, callback) {
  const write = (at, done) => stream[kFs].writev(stream.fd, list, at ?? null, done);
  retried(stream, write, list, position, (error, count) => {
    if (error || count >= size) {
      callback(error);
      return;
    }
    const rest = Buffer.concat(list).subarray(count);
    writeList(stream, [rest], size - count,
      position === undefined ? undefined : position + count, callback);
  });
}

function busyWrite(stream, length, start, callback) {
  stream[kIsBusy] = true;
  start((error) => {
    stream[kIsBusy] = false;
    callback(error);
    if (stream.destroyed) stream.emit(kIsBusy, error);
  });
  if (stream.pos !== undefined) stream.pos += length;
}

WriteStream.prototype._write = function _write(data, encoding, callback) {
  busyWrite(this, data.length, (done) => writeAll(this, data, this.pos, done), callback);
};

WriteStream.prototype._writev = function _writev(data, callback) {
  const list = data.map((one) => one.chunk);
  let size = 0;
  for (const one of list) size += one.length;
  busyWrite(this, size, (done) => writeList(this, list, size, this.pos, done), callback);
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
