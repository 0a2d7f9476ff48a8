'use strict';
// Duplex streams made of other things.

const Duplex = require('internal/streams/duplex');
const { destroyer } = require('internal/streams/destroy');
const { finished, isNode } = require('internal/streams/end');

// A duplex that writes into one stream and reads from another; its writing ends after a promise.
function join(readable, writable, after) {
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
      else if (onFinish && after) after.then(() => process.nextTick(onFinish));
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

function invalidReturn(expected, value) {
  const { received, withCode } = require('internal/errors/errors');
  const got = received(value).slice(' Received '.length);
  return withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
    `Expected ${expected} to be returned from the "body" function but got ${got}.`);
}

// What is written goes to the function; what it gives is read, or is waited for.
function wrapFunction(body) {
  const Readable = require('internal/streams/readable');
  const { PassThrough } = require('internal/streams/transform');
  const input = new PassThrough({ objectMode: true });
  const controller = new AbortController();
  const result = body(input, { signal: controller.signal });
  const { asyncIterator, iterator } = Symbol;
  let duplex;
  if (result != null && typeof result !== 'string' && (result[asyncIterator] || result[iterator])) {
    duplex = join(Readable.from(result), input);
  } else if (typeof result?.then === 'function') {
    const done = result.then((value) => {
      if (value != null) duplex.destroy(invalidReturn('nully', value));
    }, (error) => { duplex.destroy(error); });
    duplex = join(undefined, input, done);
  } else {
    throw invalidReturn('Iterable, AsyncIterable or AsyncFunction', result);
  }
  duplex.on('close', () => controller.abort());
  return duplex;
}

function wrap(body) {
  const Readable = require('internal/streams/readable');
  if (typeof body === 'function') return wrapFunction(body);
  if (body && typeof body.then === 'function') {
    const duplex = new Duplex({ objectMode: true, writable: false, read() {} });
    body.then((value) => {
      if (value != null) duplex.push(value);
      duplex.push(null);
    }, (error) => { duplex.destroy(error); });
    return duplex;
  }
  return join(Readable.from(body), undefined);
}

function checkParts(parts, given) {
  const { invalidArgValue } = require('internal/errors/errors');
  for (const [i, part] of parts.entries()) {
    if (!isNode(part)) continue;
    if (i < parts.length - 1 && !part.readable) {
      throw invalidArgValue(`streams[${i}]`, given[i], 'must be readable');
    }
    if (i > 0 && !part.writable) {
      throw invalidArgValue(`streams[${i}]`, given[i], 'must be writable');
    }
  }
}

function compose(...streams) {
  if (streams.length === 0) {
    throw require('internal/errors/errors').withCode(TypeError, 'ERR_MISSING_ARGS',
      'The "streams" argument must be specified');
  }
  if (streams.length === 1) return Duplex.from(streams[0]);
  const parts = streams.map((one) => (isNode(one) || typeof one === 'function' ? one
    : require('internal/streams/web').toNode(one)));
  const end = parts.length - 1;
  for (const i of [0, end]) if (typeof parts[i] === 'function') parts[i] = Duplex.from(parts[i]);
  checkParts(parts, streams);
  let duplex;
  const last = require('internal/streams/pipeline').run(parts, (error) => {
    if (error) duplex.destroy(error);
    else if (!isOpen) duplex.destroy();
  });
  const readable = last.readable ? last : undefined;
  const writable = isNode(parts[0]) && parts[0].writable ? parts[0] : undefined;
  const isOpen = Boolean(readable || writable);
  // What was written has arrived when the last of them is done.
  const arrived = isNode(last) && last.writable
    ? new Promise((resolve) => { last.once('finish', resolve); }) : undefined;
  duplex = join(readable, writable, arrived);
  return duplex;
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
