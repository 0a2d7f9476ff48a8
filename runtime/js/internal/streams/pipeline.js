'use strict';
// pipeline(): streams, iterables and generator functions in a row; one callback, nothing leaks.

const { AbortError, aggregateTwo, validateFunction, withCode, invalidArgType } =
  require('internal/errors/errors');
const { finished, isNode } = require('internal/streams/end');
const { destroyer } = require('internal/streams/destroy');

const webKindOf = (stream) => require('internal/streams/web').kindOf(stream);

function isIterable(value) {
  return value != null && (typeof value[Symbol.asyncIterator] === 'function' ||
    typeof value[Symbol.iterator] === 'function');
}

// Streams of others may have no iterator.
function iterableOf(source) {
  if (isIterable(source) || !isNode(source)) return source;
  const { prototype } = require('internal/streams/readable');
  return { [Symbol.asyncIterator]: () => prototype[Symbol.asyncIterator].call(source) };
}

function watch(stream, reading, writing) {
  let over = false;
  stream.on('close', () => { over = true; });
  const cleanup = finished(stream, { readable: reading, writable: writing }, (error) => {
    over = !error;
  });
  return {
    destroy: (error) => {
      if (over) return;
      over = true;
      destroyer(stream, error || withCode(Error, 'ERR_STREAM_DESTROYED',
        'Cannot call pipe after a stream was destroyed'));
    },
    cleanup,
  };
}

async function pump(iterable, writable, done, { end }) {
  let failure;
  let resume = null;
  const wake = (error) => {
    if (error) failure = error;
    if (resume) {
      const call = resume;
      resume = null;
      call();
    }
  };
  const wait = () => new Promise((resolve, reject) => {
    if (failure) reject(failure);
    else resume = () => (failure ? reject(failure) : resolve());
  });
  writable.on('drain', wake);
  const cleanup = finished(writable, { readable: false }, wake);
  try {
    if (writable.writableNeedDrain) await wait();
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) await wait();
    }
    if (end) {
      writable.end();
      await wait();
    }
    done();
  } catch (error) {
    done(failure !== error ? aggregateTwo(failure, error) : error);
  } finally {
    cleanup();
    writable.off('drain', wake);
  }
}

function connect(source, target, done, { end }) {
  let ended = false;
  target.on('close', () => {
    if (!ended) done(withCode(Error, 'ERR_STREAM_PREMATURE_CLOSE', 'Premature close'));
  });
  source.pipe(target, { end: false });
  if (end) {
    const finish = () => {
      ended = true;
      target.end();
    };
    if (source.readableEnded) process.nextTick(finish);
    else source.once('end', finish);
  } else {
    done();
  }
  finished(source, { readable: true, writable: false }, (error) => {
    const state = source._readableState;
    if (error && error.code === 'ERR_STREAM_PREMATURE_CLOSE' && state && state.ended &&
        !state.errored && !state.errorEmitted) {
      source.once('end', done).once('error', done);
    } else {
      done(error);
    }
  });
  return finished(target, { readable: false, writable: true }, done);
}

function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, 'streams[stream.length - 1]');
  return run(streams.length === 1 && Array.isArray(streams[0]) ? streams[0] : streams, callback);
}

function invalidReturn(expected, of) {
  return withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
    `Expected ${expected} to be returned from the "${of}" function`);
}

class Pipeline {
  #streams;
  #callback;
  #options;
  #controller = new AbortController();
  #watched = [];
  #cleanups = [];
  #failure;
  #value;
  #waiting = 0;
  #over = false;

  constructor(streams, callback, options) {
    this.#streams = streams;
    this.#callback = callback;
    this.#options = options;
  }

  #abort = () => {
    const { signal } = this.#options;
    this.#settle(new AbortError(undefined, signal && { cause: signal.reason }), true);
  };

  #finishOne = (error) => { this.#settle(error, --this.#waiting === 0); };

  #settle(error, final) {
    if (error && (!this.#failure || this.#failure.code === 'ERR_STREAM_PREMATURE_CLOSE')) {
      this.#failure = error;
    }
    if (!this.#failure && !final) return;
    while (this.#watched.length > 0) this.#watched.shift()(this.#failure);
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#controller.abort();
    if (!final) return;
    if (!this.#failure) for (const cleanup of this.#cleanups) cleanup();
    if (this.#over) return;
    this.#over = true;
    process.nextTick(this.#callback, this.#failure, this.#value);
  }

  // Streams are destroyed when another one fails; the listeners go from one that is read on.
  #watch(stream, { reading, writing, end, isLast }) {
    if (end) {
      const { destroy, cleanup } = watch(stream, reading, writing);
      this.#watched.push(destroy);
      if (stream.readable && isLast) this.#cleanups.push(cleanup);
    }
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
        this.#finishOne(error);
      }
    };
    stream.on('error', onError);
    if (stream.readable && isLast) {
      this.#cleanups.push(() => stream.removeListener('error', onError));
    }
  }

  #first(stream) {
    if (typeof stream === 'function') {
      const source = stream({ signal: this.#controller.signal });
      if (!isIterable(source)) {
        throw invalidReturn('Iterable, AsyncIterable or Stream', 'source');
      }
      return source;
    }
    if (isIterable(stream) || isNode(stream)) return stream;
    if (webKindOf(stream) === 'pair') return stream.readable;
    throw invalidArgType('val', ['Stream', 'Iterable', 'AsyncIterable'], stream);
  }

  // What the last function of the row gives can be read from a stream.
  #last(result, end) {
    const { PassThrough } = require('internal/streams/transform');
    const out = new PassThrough({ objectMode: true });
    // Asked for once: it may be a getter.
    const then = result?.then;
    if (typeof then === 'function') {
      this.#waiting++;
      Reflect.apply(then, result, [(given) => {
        this.#value = given;
        if (given != null) out.write(given);
        out.end();
        process.nextTick(this.#finishOne);
      }, (error) => {
        out.destroy(error);
        process.nextTick(this.#finishOne, error);
      }]);
    } else if (typeof result?.[Symbol.asyncIterator] === 'function') {
      this.#waiting++;
      pump(result, out, this.#finishOne, { end });
    } else {
      throw invalidReturn('AsyncIterable or Promise', 'destination');
    }
    const { destroy, cleanup } = watch(out, false, true);
    this.#watched.push(destroy);
    this.#cleanups.push(cleanup);
    return out;
  }

  // What comes out of the stream or function when the current one goes in.
  #next(current, stream, index, { reading, end, isLast }) {
    if (typeof stream === 'function') {
      const result = stream(iterableOf(current), { signal: this.#controller.signal });
      if (!reading) return this.#last(result, end);
      if (typeof result?.[Symbol.asyncIterator] !== 'function') {
        throw invalidReturn('AsyncIterable', `transform[${index - 1}]`);
      }
      return result;
    }
    if (!isNode(stream)) return this.#nextOfWeb(current, stream, end);
    if (isNode(current) && typeof current.pipe === 'function') {
      this.#waiting += 2;
      const cleanup = connect(current, stream, this.#finishOne, { end });
      if (stream.readable && isLast) this.#cleanups.push(cleanup);
    } else {
      this.#waiting++;
      pump(current, stream, this.#finishOne, { end });
    }
    return stream;
  }

  #nextOfWeb(current, stream, end) {
    const kind = webKindOf(stream);
    if (kind !== 'writable' && kind !== 'pair') {
      throw invalidArgType('val', ['Stream', 'Function'], stream);
    }
    this.#waiting++;
    require('internal/streams/web').pump(iterableOf(current),
      kind === 'pair' ? stream.writable : stream, this.#finishOne, { end });
    return kind === 'pair' ? stream.readable : stream;
  }

  run() {
    const { signal } = this.#options;
    if (signal) {
      if (signal.aborted) process.nextTick(this.#abort);
      else signal.addEventListener('abort', this.#abort, { once: true });
    }
    let current;
    for (const [index, stream] of this.#streams.entries()) {
      const isLast = index === this.#streams.length - 1;
      const reading = !isLast;
      const place = { reading, writing: index > 0, end: reading || this.#options.end !== false,
        isLast };
      if (isNode(stream)) this.#watch(stream, place);
      current = index === 0 ? this.#first(stream) : this.#next(current, stream, index, place);
    }
    return current;
  }
}

function run(streams, callback, options = {}) {
  if (streams.length < 2) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "streams" argument must be specified');
  }
  return new Pipeline(streams, callback, options).run();
}

module.exports = { pipeline, run };
