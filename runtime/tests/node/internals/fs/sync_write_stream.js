'use strict';
// Node's name internal/fs/sync_write_stream: a stream whose chunks are in the file at once.

const { Writable } = require('stream');
const { closeSync, writeSync } = require('fs');

module.exports = class SyncWriteStream extends Writable {
  constructor(fd, options) {
    super({ autoDestroy: true });
    this.fd = fd;
    this.readable = false;
    this.autoClose = options?.autoClose ?? true;
  }

  _write(chunk, encoding, callback) {
    try {
      for (let at = 0; at < (chunk.length ?? 1);) at += writeSync(this.fd, chunk, at);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  _destroy(error, callback) {
    const { fd } = this;
    this.fd = null;
    if (fd !== null && this.autoClose) closeSync(fd);
    callback(error);
  }

  destroySoon() { return this.destroy(); }
};
