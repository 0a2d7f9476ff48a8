'use strict';
// One end of an HTTP connection: a socket and the parser that reads it.
//
// A plain net.Socket is read at its handle: the bytes go to the parser without becoming a Buffer.
// Any other duplex stream is read by its 'data' events.

const net = require('net');
const native = binding('http');
const streams = binding('stream');
const { parseError } = require('internal/http/common');

class Connection {
  // The subclass has onHead, onComplete, onError and onUpgrade.
  constructor(socket, kind, maxHeaderSize) {
    this.socket = socket;
    this.parser = native.newParser(kind, maxHeaderSize, this, this.onHead, this.onBody,
      this.onComplete, this.onStop);
    this.message = null; // the one that comes in
    this.upgrade = null; // the message after which the protocol is another one
    this.bodyFull = false;
    this.outputFull = false;
    this.handle = null;
    this.closed = false;
    this.attach();
  }

  attach() {
    const { socket } = this;
    const handle = socket instanceof net._Socket ? socket._handle : null;
    if (handle && socket.readableLength === 0) {
      this.handle = handle;
      socket._parsedBy = this;
      native.attach(this.parser, handle);
      if (!socket._isReading) socket.read(0);
    } else {
      this.onData = (chunk) => native.execute(this.parser, chunk);
      socket.on('data', this.onData);
    }
  }

  // Bytes that the handle has not read.
  take(chunk, encoding) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    process.nextTick(() => { if (!this.closed) native.execute(this.parser, bytes); });
  }

  // No more input, please.
  close() {
    this.closed = true;
    native.stop(this.parser);
  }

  // Gives the socket back to its stream.
  detach() {
    this.close();
    if (this.handle !== null) {
      if (this.socket._handle === this.handle) native.attach(undefined, this.handle);
      this.handle = null;
      this.socket._parsedBy = null;
    } else {
      this.socket.removeListener('data', this.onData);
    }
  }

  // The parser goes no further: the input is wrong, or another protocol begins there.
  onStop(result, chunk) {
    if (typeof result !== 'number') {
      this.onError(parseError(result, chunk));
      return;
    }
    const message = this.upgrade;
    this.upgrade = null;
    this.detach();
    this.onUpgrade(message, chunk.subarray(result));
  }

  // The other side will send no more.
  finish() {
    if (this.closed) return undefined;
    const result = native.finish(this.parser);
    return result === undefined ? undefined : parseError(result);
  }

  // A piece of the body of the message.
  onBody(piece) {
    const { message } = this;
    if (message === null || message._dumped) return;
    if (!message.push(piece) && this.message === message) {
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
