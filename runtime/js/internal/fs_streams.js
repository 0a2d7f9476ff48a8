'use strict';
const fs = require('fs');
const { Readable, Writable, finished } = require('stream');
const { toPath, toOptions } = require('internal/fs_util');
const { invalidArgType, outOfRange, validateInteger, validateFunction, systemError } =
  require('internal/errors');

const kIsBusy = Symbol('kIsBusy');
const kHandle = Symbol('kHandle');
const kFs = Symbol('kFs');

function importFd(stream, options) {
  if (typeof options.fd === 'number') {
    stream[kFs] = options.fs || fs;
    return options.fd;
  }
  if (options.fd !== null && typeof options.fd === 'object' && typeof options.fd.fd === 'number') {
    stream[kHandle] = options.fd;
    stream[kFs] = options.fs || fs;
    options.fd.on('close', () => stream.close());
    return options.fd.fd;
  }
  throw invalidArgType('options.fd', ['number', 'FileHandle'], options.fd);
}

function setup(stream, path, options, flags) {
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
}

function _construct(callback) {
  const stream = this;
  if (typeof stream.fd === 'number') {
    callback();
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
  if (stream[kHandle]) {
    stream[kHandle].close().then(() => callback(error), (failure) => callback(failure || error));
    stream.fd = null;
    return;
  }
  stream[kFs].close(stream.fd, (failure) => callback(error || failure));
  stream.fd = null;
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = { ...toOptions(options, {}) };
  if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
  setup(this, path, options, 'r');
  this.start = options.start;
  this.end = options.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsBusy] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw outOfRange('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);
Object.defineProperty(ReadStream.prototype, 'autoClose', {
  get() { return this._readableState.autoDestroy; },
  set(value) { this._readableState.autoDestroy = value; },
});
Object.defineProperty(ReadStream.prototype, 'pending', {
  configurable: true, get() { return this.fd === null; },
});
ReadStream.prototype._construct = _construct;

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

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = { ...toOptions(options, {}) };
  options.decodeStrings = true;
  setup(this, path, options, 'w');
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsBusy] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);
Object.defineProperty(WriteStream.prototype, 'autoClose', {
  get() { return this._writableState.autoDestroy; },
  set(value) { this._writableState.autoDestroy = value; },
});
Object.defineProperty(WriteStream.prototype, 'pending', {
  configurable: true, get() { return this.fd === null; },
});
WriteStream.prototype._construct = _construct;

function writeAll(stream, bytes, position, callback) {
  stream[kFs].write(stream.fd, bytes, 0, bytes.length, position ?? null, (error, count) => {
    if (error && error.code === 'EAGAIN') {
      error = null;
      count = 0;
    }
    if (stream.destroyed || error) {
      callback(error || systemError(-125, 'write'));
      return;
    }
    stream.bytesWritten += count;
    if (count >= bytes.length) callback();
    else
      writeAll(
        stream,
        bytes.subarray(count),
        position === undefined ? undefined : position + count,
        callback
      );
  });
}

WriteStream.prototype._write = function _write(data, encoding, callback) {
  this[kIsBusy] = true;
  writeAll(this, data, this.pos, (error) => {
    this[kIsBusy] = false;
    if (this.destroyed) {
      callback(error);
      this.emit(kIsBusy, error);
      return;
    }
    callback(error);
  });
  if (this.pos !== undefined) this.pos += data.length;
};
WriteStream.prototype._writev = function _writev(data, callback) {
  this._write(Buffer.concat(data.map((one) => one.chunk)), 'buffer', callback);
};
WriteStream.prototype._destroy = destroyFile;
WriteStream.prototype.close = function close(callback) {
  if (callback) {
    if (this.closed) {
      process.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

module.exports = {
  ReadStream, WriteStream,
  createReadStream: (path, options) => new ReadStream(path, options),
  createWriteStream: (path, options) => new WriteStream(path, options),
};
