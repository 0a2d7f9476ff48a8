'use strict';
// read, write, readv, writev: how their many forms of arguments become one.

const native = binding('fs');
const { toFd } = require('internal/fs/util');
const { invalidArgType, invalidArgValue, outOfRange } = require('internal/errors/errors');
const { validateEncoding, validateFunction, validateInteger, validateObject } =
  require('internal/errors/validators');

const BYTES = ['Buffer', 'TypedArray', 'DataView'];
const LONGEST = 2 ** 31 - 1;

// -1 stands for "where the file is".
function toPosition(position, length) {
  if (position === undefined || position === null) return -1;
  if (typeof position === 'number') {
    validateInteger(position, 'position', -1);
    return position;
  }
  if (typeof position === 'bigint') {
    const max = 2n ** 63n - 1n - BigInt(length);
    if (position < -1n || position > max) {
      throw outOfRange('position', `>= -1 && <= ${max}`, position);
    }
    return Number(position);
  }
  throw invalidArgType('position', ['integer', 'bigint'], position);
}

function checkBytes(buffer) {
  if (!ArrayBuffer.isView(buffer)) throw invalidArgType('buffer', BYTES, buffer);
}

function checkRange(offset, length, size) {
  if (length < 0) throw outOfRange('length', '>= 0', length);
  if (offset + length > size) {
    throw outOfRange('length', `<= ${Math.min(size, LONGEST) - offset}`, length);
  }
}

// [buffer, offset, length, position] of a read; undefined where nothing can be read.
function readArguments(buffer, offset, length, position) {
  checkBytes(buffer);
  if (offset === undefined || offset === null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length = length === undefined ? buffer.byteLength - offset : length | 0;
  if (length === 0) return undefined;
  if (buffer.byteLength === 0) {
    throw invalidArgValue('buffer', buffer, 'is empty and cannot be written');
  }
  if (offset > buffer.byteLength) {
    throw outOfRange('offset', `>= 0 && <= ${buffer.byteLength}`, offset);
  }
  checkRange(offset, length, buffer.byteLength);
  return [buffer, offset, length, toPosition(position, length)];
}

function fromOptions(buffer, options) {
  options ??= {};
  validateObject(options, 'options');
  const { offset = 0, length = buffer.byteLength - offset, position = null } = options;
  return [buffer, offset, length, position];
}

function read(fd, buffer, offset, length, position, callback) {
  fd = toFd(fd);
  let args = [buffer, offset, length, position];
  if (arguments.length <= 4) {
    let options;
    if (arguments.length === 4) {
      options = offset;
      callback = length;
    } else if (arguments.length === 3) {
      callback = offset;
      if (!ArrayBuffer.isView(buffer)) {
        options = buffer;
        ({ buffer = Buffer.alloc(16384) } = options ?? {});
      }
    } else {
      callback = buffer;
      buffer = Buffer.alloc(16384);
    }
    if (options !== undefined && options !== null) validateObject(options, 'options');
    args = ArrayBuffer.isView(buffer) ? fromOptions(buffer, options) : [buffer];
  }
  const checked = readArguments(...args);
  validateFunction(callback, 'cb');
  if (checked === undefined) {
    process.nextTick(callback, null, 0, buffer);
    return;
  }
  native.read(fd, ...checked, (error, count) => callback(error, count || 0, buffer));
}
Object.defineProperty(read, require('util').promisify.args,
  { value: ['bytesRead', 'buffer'], enumerable: false });

function readSync(fd, buffer, offset, length, position) {
  fd = toFd(fd);
  checkBytes(buffer);
  let args = [buffer, offset, length, position];
  if (arguments.length <= 3 || (offset !== null && typeof offset === 'object')) {
    args = fromOptions(buffer, offset);
  }
  const checked = readArguments(...args);
  return checked === undefined ? 0 : native.read(fd, ...checked, undefined);
}

function writeArguments(buffer, offset, length, position) {
  if (offset !== null && typeof offset === 'object') [, offset, length, position] =
    fromOptions(buffer, offset);
  if (offset === undefined || offset === null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = buffer.byteLength - offset;
  if (offset > buffer.byteLength) throw outOfRange('offset', `<= ${buffer.byteLength}`, offset);
  if (length > buffer.byteLength - offset) {
    throw outOfRange('length', `<= ${buffer.byteLength - offset}`, length);
  }
  if (length < 0) throw outOfRange('length', '>= 0', length);
  validateInteger(length, 'length', 0, LONGEST);
  return [buffer, offset, length, typeof position === 'number' ? position : -1];
}

function writeText(text, position, encoding) {
  if (typeof text !== 'string') {
    throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], text);
  }
  validateEncoding(text, encoding);
  const bytes = Buffer.from(text, encoding);
  return [bytes, 0, bytes.length, typeof position === 'number' ? position : -1];
}

function write(fd, buffer, offset, length, position, callback) {
  fd = toFd(fd);
  let args;
  if (ArrayBuffer.isView(buffer)) {
    callback ||= position || length || offset;
    validateFunction(callback, 'cb');
    const plain = (value) => (typeof value === 'function' ? undefined : value);
    args = writeArguments(buffer, plain(offset), plain(length), plain(position));
  } else {
    if (typeof position !== 'function') {
      if (typeof offset === 'function') {
        position = offset;
        offset = null;
      } else {
        position = length;
      }
      length = 'utf8';
    }
    args = writeText(buffer, offset, length);
    callback = position;
    validateFunction(callback, 'cb');
  }
  native.write(fd, ...args, (error, count) => callback(error, count || 0, buffer));
}
Object.defineProperty(write, require('util').promisify.args,
  { value: ['bytesWritten', 'buffer'], enumerable: false });

function writeSync(fd, buffer, offset, length, position) {
  fd = toFd(fd);
  const args = ArrayBuffer.isView(buffer) ? writeArguments(buffer, offset, length, position)
    : writeText(buffer, offset, typeof length === 'string' ? length : 'utf8');
  return native.write(fd, ...args, undefined);
}

function checkList(buffers) {
  if (!Array.isArray(buffers)) throw invalidArgType('buffers', 'ArrayBufferView[]', buffers);
  for (const one of buffers) {
    if (!ArrayBuffer.isView(one)) throw invalidArgType('buffers', 'ArrayBufferView[]', buffers);
  }
}

const at = (position) => (typeof position === 'number' ? position : -1);

function vector(name, result) {
  const call = native[name];
  const later = { [name](fd, buffers, position, callback) {
    fd = toFd(fd);
    checkList(buffers);
    callback ??= position;
    validateFunction(callback, 'cb');
    if (buffers.length === 0) {
      process.nextTick(callback, null, 0, buffers);
      return;
    }
    call(fd, buffers, at(position), (error, count) => callback(error, count || 0, buffers));
  } }[name];
  Object.defineProperty(later, require('util').promisify.args,
    { value: [result, 'buffers'], enumerable: false });
  const now = { [`${name}Sync`](fd, buffers, position) {
    fd = toFd(fd);
    checkList(buffers);
    return buffers.length === 0 ? 0 : call(fd, buffers, at(position), undefined);
  } }[`${name}Sync`];
  return { [name]: later, [`${name}Sync`]: now };
}

module.exports = {
  read, readSync, write, writeSync, ...vector('readv', 'bytesRead'),
  ...vector('writev', 'bytesWritten'),
};
