'use strict';
// Streams and iterators: for await over a stream, streams made of what can be iterated, and of
// streams of the first kind.
const { AbortError, invalidArgType } = require('internal/errors/errors');
const { native, describe, destroyer } = require('internal/streams/core');

const NULL_VALUES = 7;

// Resolves when the stream is over; an abort is no failure.
function untilOver(stream) {
  const { finished } = require('internal/streams/end');
  return new Promise((resolve, reject) => {
    finished(stream, (error) => {
      if (error && error.name !== 'AbortError') reject(error);
      else resolve(null);
    });
  });
}

// Who waits for a stream to have something, or to be over.
class Waiter {
  #stream;
  #wake = null;
  #stop;
  failure = undefined; // null: over without one

  constructor(stream) {
    this.#stream = stream;
    stream.on('readable', this.#ring);
    const { finished } = require('internal/streams/end');
    this.#stop = finished(stream, { writable: false }, (error) => {
      this.failure = error ?? null;
      this.#ring();
    });
  }

  #ring = () => {
    const wake = this.#wake;
    this.#wake = null;
    if (wake) wake();
  };

  next() { return new Promise((resolve) => { this.#wake = resolve; }); }

  leave() {
    this.#stream.removeListener('readable', this.#ring);
    this.#stop();
  }
}

async function* chunksOf(stream, waiter, destroysAtEnd) {
  let failure;
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (waiter.failure) throw waiter.failure;
      else if (waiter.failure === null) return;
      else await waiter.next();
    }
  } catch (error) {
    failure = waiter.failure = error;
    throw error;
  } finally {
    const destroys = failure !== undefined || destroysAtEnd;
    if (destroys && (waiter.failure === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      waiter.leave();
    }
  }
}

function iterate(stream, options) {
  let source = stream;
  if (typeof stream.read !== 'function') {
    source = require('internal/streams/readable').wrap(stream, { objectMode: true });
  }
  const iterator = chunksOf(source, new Waiter(source), options?.destroyOnReturn !== false);
  iterator.stream = source;
  return iterator;
}

// Ends an iterator that is not at its end, with the error if it wants to know.
async function stopIterator(iterator, error) {
  const hasError = error !== undefined && error !== null;
  for (const method of hasError ? ['throw', 'return'] : ['return']) {
    if (typeof iterator[method] !== 'function') continue;
    const step = await iterator[method](...method === 'throw' ? [error] : []);
    await step.value;
    if (step.done) return;
  }
}

// Pushes what an iterator gives for as long as the stream wants more.
class Feed {
  #isRunning = false;
  #iterator;
  #isAsync;

  constructor(iterator, isAsync) {
    this.#iterator = iterator;
    this.#isAsync = isAsync;
  }

  async run(stream) {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      do {
        const step = this.#iterator.next();
        const { value, done } = this.#isAsync ? await step : step;
        if (done) {
          stream.push(null);
          return;
        }
        const chunk = typeof value?.then === 'function' ? await value : value;
        if (chunk === null) {
          this.#isRunning = false;
          throw describe(NULL_VALUES);
        }
        this.#isRunning = stream.push(chunk);
      } while (this.#isRunning);
    } catch (error) {
      stream.destroy(error);
    }
  }

  async stop(error, callback) {
    let failure = error;
    try {
      await stopIterator(this.#iterator, error);
    } catch (other) {
      failure = other || error;
    }
    process.nextTick(callback, failure);
  }
}

function from(Readable, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({ objectMode: true, ...options, read() {
      this.push(iterable);
      this.push(null);
    } });
  }
  const isAsync = Boolean(iterable?.[Symbol.asyncIterator]);
  const method = iterable?.[isAsync ? Symbol.asyncIterator : Symbol.iterator];
  if (!method) throw invalidArgType('iterable', ['Iterable'], iterable);
  const feed = new Feed(method.call(iterable), isAsync);
  const stream = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  stream._read = () => { feed.run(stream); };
  stream._destroy = (error, callback) => feed.stop(error, callback);
  return stream;
}

// Gives out what a stream of the first kind tells.
function wrap(old) {
  let isHeld = false;
  old.on('data', (chunk) => {
    if (this.push(chunk) || !old.pause) return;
    isHeld = true;
    old.pause();
  });
  old.on('end', () => this.push(null));
  old.on('error', (error) => native.fail(this, error));
  for (const name of ['close', 'destroy']) old.on(name, () => destroyer(this));
  this._read = () => {
    if (!isHeld || !old.resume) return;
    isHeld = false;
    old.resume();
  };
  for (const name of Object.keys(old)) {
    if (this[name] === undefined && typeof old[name] === 'function') {
      this[name] = old[name].bind(old);
    }
  }
  return this;
}

function install(Readable) {
  Readable.from = function from_(iterable, options) { return from(Readable, iterable, options); };
  Object.defineProperty(Readable.from, 'name', { value: 'from', configurable: true });
  Readable.wrap = (source, options) => new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, callback) {
      destroyer(source, error);
      callback(error);
    },
  }).wrap(source);
  const { prototype } = Readable;
  prototype.wrap = wrap;
  prototype.iterator = function iterator(options) {
    if (options !== undefined) {
      require('internal/errors/validators').validateObject(options, 'options');
    }
    return iterate(this, options);
  };
  const methods = {
    [Symbol.asyncIterator]: function asyncIterator() { return iterate(this); },
    [Symbol.asyncDispose]: function asyncDispose() {
      if (!this.destroyed) this.destroy(this.readableEnded ? null : new AbortError());
      return untilOver(this);
    },
  };
  for (const name of Object.getOwnPropertySymbols(methods)) {
    Object.defineProperty(prototype, name,
      { value: methods[name], writable: true, configurable: true });
  }
  require('internal/streams/operators').install(Readable);
}

module.exports = { install, untilOver };
