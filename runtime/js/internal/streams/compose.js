'use strict';
// Duplex streams made of other things.

const Duplex = require('internal/streams/duplex');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/end');

// A duplex that writes into one stream and reads from another.
function join(readable, writable) {
  let waitingRead = false;
  let onDrain;
  let onFinish;
  const duplex = new Duplex({
    readableObjectMode: Boolean(readable && readable.readableObjectMode),
    writableObjectMode: Boolean(writable && writable.writableObjectMode),
    readable: Boolean(readable),
    writable: Boolean(writable),
    write(chunk, encoding, callback) {
      if (writable.write(chunk, encoding)) callback();
      else onDrain = callback;
    },
    final(callback) {
      writable.end();
      onFinish = callback;
    },
    read() {
      for (;;) {
        const chunk = readable.read();
        if (chunk === null) {
          waitingRead = true;
          return;
        }
        if (!this.push(chunk)) return;
      }
    },
    destroy(error, callback) {
      if (readable) destroyer(readable, error);
      if (writable && writable !== readable) destroyer(writable, error);
      callback(error);
    },
  });
  if (writable) {
    writable.on('drain', () => {
      const call = onDrain;
      onDrain = undefined;
      if (call) call();
    });
    finished(writable, { readable: false }, (error) => {
      if (error) duplex.destroy(error);
      else if (onFinish) onFinish();
    });
  }
  if (readable) {
    readable.on('readable', () => {
      if (!waitingRead) return;
      waitingRead = false;
      duplex._read();
    });
    readable.on('end', () => duplex.push(null));
    finished(readable, { writable: false }, (error) => {
      if (error) duplex.destroy(error);
    });
  }
  return duplex;
}

function wrap(body) {
  const Readable = require('internal/streams/readable');
  const { PassThrough } = require('internal/streams/transform');
  if (typeof body === 'function') {
    const input = new PassThrough({ objectMode: true });
    const result = body(input);
    if (result && result[Symbol.asyncIterator]) return join(Readable.from(result), input);
    const out = new PassThrough({ objectMode: true });
    Promise.resolve(result).then((value) => {
      if (value != null) out.write(value);
      out.end();
    }, (error) => out.destroy(error));
    return join(out, input);
  }
  if (body && typeof body.then === 'function') {
    return join(Readable.from((async function* one() {
      const value = await body;
      if (value != null) yield value;
    })()), undefined);
  }
  return join(Readable.from(body), undefined);
}

function compose(...streams) {
  const parts = streams.map((one) => (one && typeof one.pipe === 'function' ? one : wrap(one)));
  const first = parts[0];
  const last = parts[parts.length - 1];
  for (let i = 0; i + 1 < parts.length; i++) {
    parts[i].pipe(parts[i + 1]);
    parts[i].on('error', (error) => last.destroy(error));
  }
  return join(last.readable ? last : undefined, first.writable ? first : undefined);
}

// Two duplex streams: what is written to one is read from the other.
function pair(options) {
  const [one, other] = [0, 1].map(() => new Duplex({
    ...options,
    read() {
      const call = this.waiting;
      this.waiting = undefined;
      if (call) call();
    },
    write(chunk, encoding, callback) {
      if (chunk.length === 0) {
        process.nextTick(callback);
      } else {
        this.peer.push(chunk);
        this.peer.waiting = callback;
      }
    },
    final(callback) {
      this.peer.on('end', callback);
      this.peer.push(null);
    },
  }));
  Object.defineProperty(one, 'peer', { value: other });
  Object.defineProperty(other, 'peer', { value: one });
  return [one, other];
}

module.exports = { join, wrap, compose, pair };
