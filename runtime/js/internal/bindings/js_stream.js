'use strict';
// A handle whose work is done in JavaScript: onread, onwrite and onshutdown are the program's.

const { streamBaseState, kArrayBufferOffset, kBytesWritten, kLastWriteWasAsync,
  kReadBytesOrError } = require('internal/net/stream_base');
const { kClone } = require('internal/messages/transfer_symbols');
const ids = require('internal/async/ids');

const EOF = -4095;

class JSStream {
  getAsyncId() { return ids.workOf(this).id; }

  readStart() { return this.onreadstart?.() ?? 0; }

  readStop() { return this.onreadstop?.() ?? 0; }

  #write(req, chunks) {
    streamBaseState[kBytesWritten] = chunks.reduce((sum, one) => sum + one.byteLength, 0);
    streamBaseState[kLastWriteWasAsync] = 1;
    return this.onwrite?.(req, chunks) ?? 0;
  }

  writeBuffer(req, chunk) { return this.#write(req, [chunk]); }

  writev(req, chunks) { return this.#write(req, chunks); }

  writeUtf8String(req, text) { return this.#write(req, [Buffer.from(text)]); }

  writeLatin1String(req, text) { return this.#write(req, [Buffer.from(text, 'latin1')]); }

  writeAsciiString(req, text) { return this.#write(req, [Buffer.from(text, 'latin1')]); }

  writeUcs2String(req, text) { return this.#write(req, [Buffer.from(text, 'utf16le')]); }

  shutdown(req) { return this.onshutdown?.(req) ?? 0; }

  finishWrite(req, status) { req.oncomplete?.(status, this, undefined); }

  finishShutdown(req, status) { req.oncomplete?.(status, this, undefined); }

  readBuffer(bytes) {
    const copy = new Uint8Array(bytes.byteLength);
    copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    streamBaseState[kReadBytesOrError] = copy.length;
    streamBaseState[kArrayBufferOffset] = 0;
    this.onread?.(copy.buffer);
  }

  emitEOF() {
    streamBaseState[kReadBytesOrError] = EOF;
    this.onread?.(undefined);
  }

  close(callback) { if (typeof callback === 'function') setImmediate(callback); }

  [kClone]() {
    throw new DOMException('Cannot transfer object of unsupported type.', 'DataCloneError');
  }
}
for (const key of Object.getOwnPropertyNames(JSStream.prototype)) {
  Object.defineProperty(JSStream.prototype, key, { enumerable: false });
}

module.exports = { JSStream };
