'use strict';
// Blobs whose bytes stay in a file, and are read when they are asked for. They can't be read any
// more once the file has changed.

const fs = require('fs');
const { withCode } = require('internal/errors/errors');
const { validateObject, validateString } = require('internal/errors/validators');

const PIECE = 65536;

class Source {
  constructor(path, { size, mtimeMs }) {
    this.path = path;
    this.whole = { size, mtimeMs };
    this.start = 0;
    this.size = size;
  }

  // As Blob.slice() counts.
  slice(start = 0, end = this.size) {
    const place = (at) => (at < 0 ? Math.max(this.size + at, 0) : Math.min(at, this.size));
    const from = place(Math.trunc(start) || 0);
    const part = Object.assign(Object.create(Source.prototype), this);
    part.start = this.start + from;
    part.size = Math.max(0, place(Math.trunc(end) || 0) - from);
    return part;
  }

  async read(from = 0, count = this.size - from) {
    let handle;
    try {
      handle = await fs.promises.open(this.path);
      checkUnchanged(this, await handle.stat());
      const bytes = Buffer.alloc(Math.min(count, this.size - from));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, this.start + from);
      if (bytesRead !== bytes.length) throw unreadable();
      return bytes;
    } catch {
      throw unreadable();
    } finally {
      await handle?.close();
    }
  }

  readSync() {
    checkUnchanged(this, fs.statSync(this.path));
    return fs.readFileSync(this.path).subarray(this.start, this.start + this.size);
  }

  stream() {
    let at = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const bytes = await this.read(at, PIECE);
        at += bytes.length;
        if (bytes.length > 0) controller.enqueue(new Uint8Array(bytes));
        if (at >= this.size) controller.close();
      },
    }, { highWaterMark: 0 });
  }
}

function unreadable() {
  const { DOMException } = require('internal/errors/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
}

function checkUnchanged({ whole }, { size, mtimeMs }) {
  if (size !== whole.size || mtimeMs !== whole.mtimeMs) throw unreadable();
}

function openAsBlob(path, options = {}) {
  validateObject(options, 'options');
  const { type = '' } = options;
  validateString(type, 'options.type');
  const name = require('internal/fs/util').toPath(path);
  let stat;
  try {
    stat = fs.statSync(name);
    fs.accessSync(name, fs.constants.R_OK);
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') throw error;
    throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE', 'Unable to open file as blob');
  }
  return Promise.resolve(require('internal/blob/blob').fromSource(new Source(name, stat), type));
}

module.exports = { openAsBlob };
