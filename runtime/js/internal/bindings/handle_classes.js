'use strict';
// The classes of handles behind Node's bindings tcp_wrap, pipe_wrap and tty_wrap. From the first
// use on, the handles that net makes are of these classes too.

const native = binding('stream');
const { prototype, kinds } = require('internal/net/handles');
const { streamBaseState, kReadBytesOrError, kArrayBufferOffset, kBytesWritten,
  kLastWriteWasAsync } = require('internal/net/stream_base');

const kOnRead = Symbol('onread');

function deliver(count, bytes) {
  streamBaseState[kReadBytesOrError] = count;
  streamBaseState[kArrayBufferOffset] = bytes === undefined ? 0 : bytes.byteOffset;
  this.onread(bytes?.buffer);
}

function write(handle, req, data, size) {
  const status = native.write(handle, data, (result) => req.oncomplete?.(result, handle, req),
    undefined);
  streamBaseState[kBytesWritten] = size;
  streamBaseState[kLastWriteWasAsync] = status === 0 ? 1 : 0;
  return Math.min(status, 0);
}

function writeText(handle, req, text, encoding) {
  const bytes = Buffer.from(`${text}`, encoding);
  return write(handle, req, bytes, bytes.length);
}

// [address, port, family] or a status, as Node puts it into an object.
function nameInto(found, out) {
  if (!Array.isArray(found)) return found;
  [out.address, out.port, out.family] = found;
  return 0;
}

const streams = {
  shutdown(req) {
    return native.shutdown(this, (status) => req.oncomplete?.(status, this, undefined));
  },
  writeBuffer(req, bytes) { return write(this, req, bytes, bytes.byteLength); },
  writev(req, chunks, areBytes) {
    const list = areBytes ? chunks : [];
    for (let i = 0; !areBytes && i < chunks.length; i += 2) {
      list.push(typeof chunks[i] === 'string' ? Buffer.from(chunks[i], chunks[i + 1]) : chunks[i]);
    }
    return write(this, req, list, list.reduce((sum, one) => sum + one.byteLength, 0));
  },
  writeUtf8String(req, text) { return writeText(this, req, text, 'utf8'); },
  writeAsciiString(req, text) { return writeText(this, req, text, 'latin1'); },
  writeLatin1String(req, text) { return writeText(this, req, text, 'latin1'); },
  writeUcs2String(req, text) { return writeText(this, req, text, 'utf16le'); },
  open(fd) { return native.open(this, fd); },
  listen(backlog) { return native.listen(this, backlog ?? 511); },
  getsockname(out) { return nameInto(native.sockname(this), out); },
  getpeername(out) { return nameInto(native.peername(this), out); },
  reset(callback) { return native.close(this, callback, true) ? 0 : -9; },
};

const accessors = {
  writeQueueSize: { get() { return native.queueSize(this); } },
  // There is no address to show; what is no stream is refused.
  _externalStream: { get() { return void native.queueSize(this); } },
  onread: {
    get() { return this[kOnRead]; },
    set(value) {
      Object.defineProperty(this, kOnRead, { value, writable: true, configurable: true });
      native.setReader(this, deliver, this);
    },
  },
};

function extend(target, methods) {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(target, name,
      { value, writable: true, configurable: true, enumerable: false });
  }
}

extend(prototype, streams);
for (const [name, accessor] of Object.entries(accessors)) {
  Object.defineProperty(prototype, name, { ...accessor, configurable: true, enumerable: false });
}

// A class whose handles a binding's function makes; whoever calls that function gets them too.
function kindOf(Class, owner, name, methods) {
  Object.setPrototypeOf(Class.prototype, prototype);
  extend(Class.prototype, methods);
  kinds.add(Class.prototype);
  const make = owner[name];
  owner[name] = (...args) => {
    const handle = make(...args);
    return typeof handle === 'object' ? Object.setPrototypeOf(handle, Class.prototype) : handle;
  };
  return Class;
}

function connect(handle, req, address, port) {
  return native.connect(handle, address, port, (status) => {
    req.oncomplete?.(status, handle, req, true, true);
  });
}

class ShutdownWrap {}
class WriteWrap {}

module.exports = {
  kindOf, connect, nameInto, extend,
  stream_wrap: { ShutdownWrap, WriteWrap, LibuvStreamWrap: Object.assign(
    function LibuvStreamWrap() { throw new TypeError('Illegal constructor'); }, { prototype }),
  kReadBytesOrError, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync, streamBaseState },
};
