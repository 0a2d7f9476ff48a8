'use strict';
// One end of an HTTP connection: a socket and the parser that reads it.
//
// A net.Socket is read at its handle, or at what decrypts the bytes of its handle: they go to the
// parser without becoming a Buffer. Any other duplex stream is read by its 'data' events.

const net = require('net');
const native = binding('http');
const streams = binding('stream');
const { isOurs } = require('internal/net/handles');
const { parseError } = require('internal/http/common');

const { on } = require('events').prototype; // the stream's own would begin to read
const { on: socketOn } = net._Socket.prototype;
const seesNothing = () => {};

class Connection {
  // The subclass has onHead, onComplete, onError and onUpgrade.
  constructor(socket, kind, maxHeaderSize, isLenient) {
    this.socket = socket;
    this.parser = native.newParser(this, kind, maxHeaderSize, isLenient);
    this.listeners = undefined;
    this.message = null; // the one that comes in
    this.upgrade = null; // the message after which the protocol is another one
    this.bodyFull = false;
    this.outputFull = false;
    this.handle = null;
    this.isShown = false; // as a listener of the socket
    this.closed = false;
    socket.parser = this;
    this.attach();
  }

  attach() {
    const { socket } = this;
    const handle = socket instanceof net._Socket && (!socket.encrypted || socket._hasWay?.())
      ? socket._handle : null;
    if (handle && isOurs(handle) && socket.readableLength === 0) {
      this.handle = handle;
      socket._parsedBy = this;
      native.attach(this.parser, handle);
      if (!socket._isReading) socket.read(0);
    } else {
      this.listenForData();
    }
  }

  listenForData() {
    this.isFeeding = false;
    this.waiting = null; // what came while the parser was busy
    this.onData = (chunk) => this.feed(chunk);
    this.socket.on('data', this.onData);
  }

  // Programs take a listener to 'data' for the sign that a message is not read to its end. The
  // bytes that the handle gives to the parser pass it by.
  showReader() {
    if (this.handle === null) return;
    this.isShown = true;
    on.call(this.socket, 'data', seesNothing);
  }

  hideReader() {
    if (!this.isShown) return;
    this.isShown = false;
    this.socket.removeListener('data', seesNothing);
  }

  // Someone else wants to see the bytes, too: they take the way of the stream.
  share() {
    this.hideReader();
    native.attach(undefined, this.handle);
    this.handle = null;
    this.socket._parsedBy = null;
    this.listenForData();
  }

  // What a handler brings while the parser calls it comes behind what is being read.
  feed(chunk) {
    if (this.isFeeding) {
      (this.waiting ??= []).push(chunk);
      return;
    }
    this.isFeeding = true;
    try {
      for (; chunk !== undefined; chunk = this.waiting?.shift()) {
        native.execute(this.parser, typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      }
    } finally {
      this.isFeeding = false;
    }
  }

  // May a message be written past the socket's stream?
  isClear() {
    const { socket } = this;
    if (this.handle === null || socket._handle !== this.handle || !socket._mayWritePast()) {
      return false;
    }
    const state = socket._writableState;
    return state.length === 0 && state.corked === 0 && !state.ending;
  }

  // Listeners to the socket, a name and a function in turns, until forget().
  listen(listeners) {
    const { socket } = this;
    this.listeners = listeners;
    for (let i = 0; i < listeners.length; i += 2) {
      this.addTo(socket, listeners[i], listeners[i + 1]);
    }
  }

  // For events that mean nothing to a stream's own `on`.
  addTo(socket, event, listener) {
    if (socket.on === socketOn) on.call(socket, event, listener);
    else socket.on(event, listener);
  }

  forget() {
    const { listeners, socket } = this;
    this.hideReader();
    if (listeners === undefined) return;
    this.listeners = undefined;
    for (let i = 0; i < listeners.length; i += 2) {
      socket.removeListener(listeners[i], listeners[i + 1]);
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
    native.end(this.parser);
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
      socket.emit(wanted ? 'resume' : 'pause');
    }
  }
}

module.exports = { Connection };
