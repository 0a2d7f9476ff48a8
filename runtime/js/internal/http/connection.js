'use strict';
// One end of an HTTP connection: a socket and the parser that reads it.
//
// A plain net.Socket is read at its handle, without passing through its stream; any other duplex
// stream is read by its 'data' events.

const net = require('net');
const native = binding('http');
const streams = binding('stream');
const { parseError } = require('internal/http/common');

class Connection {
  constructor(socket, kind, maxHeaderSize, handlers) {
    this.socket = socket;
    this.parser = native.newParser(kind, maxHeaderSize, handlers);
    this.parser.conn = this;
    this.chunk = null;
    this.message = null; // the one that comes in
    this.upgrade = null; // the message after which the protocol is another one
    this.bodyFull = false;
    this.outputFull = false;
    this.handle = null;
    this.plain = null; // the socket's own reader of its handle
    this.closed = false;
    this.attach();
  }

  attach() {
    const { socket } = this;
    const handle = socket instanceof net._Socket ? socket._handle : null;
    if (handle && typeof handle.onread === 'function' && socket.readableLength === 0) {
      this.handle = handle;
      this.plain = handle.onread;
      handle.onread = (count, chunk) => {
        if (count > 0) {
          socket._bytesRead += count;
          if (socket.timeout) socket._unrefTimer();
          this.feed(chunk);
        } else {
          this.plain.call(handle, count, chunk);
        }
      };
      if (!socket._isReading) socket.read(0);
    } else {
      this.onData = (chunk) => this.feed(chunk);
      socket.on('data', this.onData);
    }
  }

  // Gives the socket back to its stream.
  detach() {
    this.closed = true;
    if (this.handle !== null) {
      if (this.socket._handle === this.handle) this.handle.onread = this.plain;
      this.handle = null;
    } else {
      this.socket.removeListener('data', this.onData);
    }
  }

  feed(chunk) {
    if (this.closed) return;
    this.chunk = chunk;
    const result = native.execute(this.parser, chunk);
    this.chunk = null;
    if (typeof result !== 'number') {
      this.onError(parseError(result, chunk));
    } else if (this.upgrade !== null) {
      const message = this.upgrade;
      this.upgrade = null;
      this.detach();
      this.onUpgrade(message, chunk.subarray(result));
    }
  }

  // The other side will send no more.
  finish() {
    if (this.closed) return undefined;
    const result = native.finish(this.parser);
    return typeof result === 'number' ? undefined : parseError(result);
  }

  piece(at, length) {
    const { chunk } = this;
    return length === chunk.length ? chunk : chunk.subarray(at, at + length);
  }

  // A piece of the body of the message.
  give(at, length) {
    const { message } = this;
    if (message === null || message._dumped) return;
    if (!message.push(this.piece(at, length)) && this.message === message) {
      this.bodyFull = true;
      this.update();
    }
  }

  resumeFor(message) {
    if (this.message === message && this.bodyFull) {
      this.bodyFull = false;
      this.update();
    }
  }

  update() {
    const { socket } = this;
    const wanted = !this.bodyFull && !this.outputFull;
    if (this.handle === null) {
      if (!wanted) socket.pause();
      else if (!this.closed) socket.resume();
    } else if (socket._handle === this.handle && socket._isReading !== wanted) {
      socket._isReading = wanted;
      if (wanted) streams.readStart(this.handle);
      else streams.readStop(this.handle);
    }
  }
}

module.exports = { Connection };
