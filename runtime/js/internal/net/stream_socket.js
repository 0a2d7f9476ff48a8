'use strict';
// Any stream as a socket of net.

const { Socket } = require('net');
const { systemError, withCode } = require('internal/errors/errors');

const ECANCELED = -125;
const EPROTO = -71;

// The socket's handle: what it is asked for is done by the stream.
class Handle {
  #socket;

  constructor(socket) { this.#socket = socket; }

  readStart() { return this.#socket.readStart(); }

  readStop() { return this.#socket.readStop(); }

  shutdown(req) {
    this.#socket.doShutdown((status) => req.oncomplete(status, this, undefined));
    return 0;
  }

  close(callback) { setImmediate(callback); }

  ref() {}

  unref() {}

  getAsyncId() { return require('internal/async/ids').workOf(this).id; }
}

function onData(socket, chunk) {
  const { stream } = socket;
  if (typeof chunk === 'string' || stream.readableObjectMode === true) {
    stream.pause();
    stream.removeListener('data', socket._onData);
    socket.emit('error', withCode(Error, 'ERR_STREAM_WRAP',
      'Stream has StringDecoder set or is in objectMode'));
    return;
  }
  if (!socket.destroyed && !socket.push(chunk)) stream.pause();
}

class JSStreamSocket extends Socket {
  constructor(stream) {
    super({ manualStart: true });
    this.stream = stream;
    this._handle = new Handle(this);
    this.isClosing = false;
    this._onData = (chunk) => onData(this, chunk);
    stream.pause();
    stream.on('error', (error) => this.emit('error', error));
    stream.on('data', this._onData);
    stream.once('end', () => {
      if (this.destroyed) return;
      this.push(null);
      this.read(0); // 'end' comes though nobody reads
    });
    stream.once('close', () => this.destroy());
    this.read(0);
  }

  readStart() {
    this.stream.resume();
    return 0;
  }

  readStop() {
    this.stream.pause();
    return 0;
  }

  _read() { this.readStart(); }

  doShutdown(callback) {
    const { stream } = this;
    if (this.destroyed || this.isClosing) {
      setImmediate(callback, ECANCELED);
      return;
    }
    const end = () => stream.end(() => setImmediate(callback, 0));
    if (stream.writableNeedDrain) stream.once('drain', end);
    else end();
  }

  // One that throws fails the write; its error is the program's own.
  #send(work, callback) {
    try {
      work();
    } catch (error) {
      process.nextTick(() => { throw error; });
      callback(systemError(EPROTO, 'write'));
    }
  }

  write(...args) { return require('stream').Duplex.prototype.write.apply(this, args); }

  _write(chunk, encoding, callback) {
    this.#send(() => this.stream.write(chunk, encoding === 'buffer' ? undefined : encoding,
      (error) => callback(error)), callback);
  }

  _writev(chunks, callback) {
    const all = Buffer.concat(chunks.map(({ chunk, encoding }) =>
      (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)));
    this._write(all, 'buffer', callback);
  }

  _final(callback) { this.doShutdown(() => callback()); }

  _destroy(error, callback) {
    this.isClosing = true;
    this.stream.destroy?.();
    super._destroy(error, callback);
  }
}

module.exports = JSStreamSocket;
module.exports.StreamWrap = JSStreamSocket;
