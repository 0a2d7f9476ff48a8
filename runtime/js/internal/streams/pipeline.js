'use strict';
// pipeline(): streams, iterables and functions one behind the other, and one callback when all of
// it is over. Whatever fails destroys the rest.
const { AbortError, invalidArgType, received, withCode } = require('internal/errors/errors');
const { validateAbortSignal } = require('internal/errors/validators');
const { finished, isNode } = require('internal/streams/end');
const { destroyer } = require('internal/streams/core');

const PREMATURE = 'ERR_STREAM_PREMATURE_CLOSE';
const webKindOf = (value) => require('internal/streams/web').kindOf(value);
const premature = () => withCode(Error, PREMATURE, 'Premature close');
const isIterable = (value) => value !== null && value !== undefined &&
  (typeof value[Symbol.asyncIterator] === 'function' ||
   typeof value[Symbol.iterator] === 'function');
const isAsyncIterable = (value) => typeof value?.[Symbol.asyncIterator] === 'function';
// Somebody may go on reading the last stream after the pipeline.
const canBeRead = (stream) => stream.readable === true && !stream.destroyed &&
  !stream.readableEnded;
const isReadableNode = (value) => isNode(value) && typeof value.pipe === 'function' &&
  typeof value.on === 'function' && (!value._writableState || value._readableState !== undefined) &&
  value._readableState?.readable !== false;

function invalidReturn(expected, name, value) {
  return withCode(TypeError, 'ERR_INVALID_RETURN_VALUE',
    `Expected ${expected} to be returned from the "${name}" function but got` +
    `${received(value).slice(' Received'.length)}.`);
}

// What the next part reads, as something that can be iterated.
function iterableOf(source) {
  if (isIterable(source) && !isReadableNode(source)) return source;
  if (webKindOf(source) === 'pair') return source.readable;
  if (isReadableNode(source)) {
    return require('internal/streams/readable').prototype[Symbol.asyncIterator].call(source);
  }
  if (isIterable(source)) return source;
  throw invalidArgType('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

// Writes all of an iterable into a stream, at the stream's pace.
async function pour(iterable, stream, ends, done) {
  let failure;
  let wake = null;
  const goOn = (error) => {
    if (error) failure = error;
    const call = wake;
    wake = null;
    if (call) call();
  };
  const room = () => new Promise((resolve, reject) => {
    const settle = () => (failure ? reject(failure) : resolve());
    if (failure) settle();
    else wake = settle;
  });
  stream.on('drain', goOn);
  const stop = finished(stream, { readable: false }, goOn);
  try {
    if (stream.writableNeedDrain) await room();
    for await (const chunk of iterable) {
      if (!stream.write(chunk)) await room();
    }
    if (ends) {
      stream.end();
      await room();
    }
    done();
  } catch (error) {
    // What stopped the stream came first.
    done(failure !== error && failure
      ? require('internal/errors/errors').aggregateTwo(failure, error) : error);
  } finally {
    stop();
    stream.removeListener('drain', goOn);
  }
}

class Pipeline {
  #callback;
  #ends;
  #signal;
  #controller = new AbortController();
  #destroyers = [];
  #cleanups = []; // of the last stream, which stays open after the end
  #awaited = 0;
  #error = undefined;
  #value = undefined;
  #onAbort = () => this.#settle(new AbortError(undefined, { cause: this.#signal?.reason }), false);

  constructor(callback, options) {
    this.#callback = callback;
    this.#ends = options.end !== false;
    this.#signal = options.signal;
  }

  get #inner() { return this.#controller.signal; }

  #settle(error, isLast) {
    if (error && (!this.#error || this.#error.code === PREMATURE)) this.#error = error;
    if (!this.#error && !isLast) return;
    for (const destroy of this.#destroyers.splice(0)) destroy(this.#error);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
    if (!isLast) return;
    if (!this.#error) for (const clean of this.#cleanups) clean();
    process.nextTick(this.#callback, this.#error, this.#value);
  }

  #done = (error) => {
    this.#awaited -= 1;
    this.#settle(error, this.#awaited === 0);
  };

  // A callback that has to come before all is over.
  #await(count = 1) {
    this.#awaited += count;
    return this.#done;
  }

  // If the rest fails, this stream is destroyed, unless it is over by then.
  #guard(stream, readable, writable) {
    let isOver = false;
    stream.on('close', () => { isOver = true; });
    const clean = finished(stream, { readable, writable }, (error) => { isOver = !error; });
    this.#destroyers.push((error) => {
      if (isOver) return;
      isOver = true;
      destroyer(stream, error || withCode(Error, 'ERR_STREAM_DESTROYED',
        'Cannot call pipe after a stream was destroyed'));
    });
    return clean;
  }

  // A stream that fails is over. Errors that come after that are nobody's.
  #listen(stream, isLast) {
    const onError = (error) => {
      if (error && error.name !== 'AbortError' && error.code !== PREMATURE) {
        this.#done(error);
      }
    };
    stream.on('error', onError);
    if (isLast && canBeRead(stream)) {
      this.#cleanups.push(() => stream.removeListener('error', onError));
    }
  }

  #pipe(source, target, ends, isLast) {
    let isEnded = false;
    const done = this.#await(2);
    target.on('close', () => { if (!isEnded) done(premature()); });
    source.pipe(target, { end: false });
    if (ends) {
      const end = () => {
        isEnded = true;
        target.end();
      };
      if (source.readableEnded) process.nextTick(end);
      else source.once('end', end);
    } else {
      done();
    }
    finished(source, { readable: true, writable: false }, (error) => {
      const state = source._readableState;
      const isOnlyLate = error?.code === PREMATURE && state?.ended && !state.errored &&
        !state.errorEmitted;
      // Its data is all there, and 'end' is to come.
      if (isOnlyLate) source.once('end', done).once('error', done);
      else done(error);
    });
    const clean = finished(target, { readable: false, writable: true }, done);
    if (isLast && canBeRead(target)) this.#cleanups.push(clean);
  }

  #first(part) {
    if (typeof part === 'function') {
      const made = part({ signal: this.#inner });
      if (!isIterable(made)) {
        throw invalidReturn('Iterable, AsyncIterable or Stream', 'source', made);
      }
      return made;
    }
    if (isIterable(part) || isReadableNode(part) || webKindOf(part) === 'pair') return part;
    return require('internal/streams/duplex').from(part);
  }

  #through(source, part, index, isLast) {
    const result = part(iterableOf(source), { signal: this.#inner });
    if (!isLast) {
      if (!isAsyncIterable(result)) {
        throw invalidReturn('AsyncIterable', `transform[${index - 1}]`, result);
      }
      return result;
    }
    return this.#collect(result);
  }

  // The last part is a function: what it gives is written to a stream that the caller can read.
  #collect(result) {
    const { PassThrough } = require('internal/streams/transform');
    const output = new PassThrough({ objectMode: true });
    const then = result?.then;
    if (typeof then === 'function') {
      const done = this.#await();
      then.call(result, (value) => {
        this.#value = value;
        if (value !== undefined && value !== null) output.write(value);
        if (this.#ends) output.end();
        process.nextTick(done);
      }, (error) => {
        output.destroy(error);
        process.nextTick(done, error);
      });
    } else if (isAsyncIterable(result)) {
      pour(result, output, this.#ends, this.#await());
    } else if (webKindOf(result) === 'readable' || webKindOf(result) === 'pair') {
      pour(iterableOf(result), output, this.#ends, this.#await());
    } else {
      throw invalidReturn('AsyncIterable or Promise', 'destination', result);
    }
    this.#cleanups.push(this.#guard(output, false, true));
    return output;
  }

  #into(source, stream, ends, isLast) {
    if (isReadableNode(source)) this.#pipe(source, stream, ends, isLast);
    else if (webKindOf(source) === 'pair' || webKindOf(source) === 'readable' ||
             isIterable(source)) {
      const iterable = webKindOf(source) === 'pair' ? source.readable : source;
      pour(iterable, stream, ends, this.#await());
    } else {
      throw invalidArgType('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream',
        'TransformStream'], source);
    }
    return stream;
  }

  #intoWeb(source, part, kind, ends) {
    const readsWeb = ['readable', 'pair'].includes(webKindOf(source));
    if (!readsWeb && !isReadableNode(source) && !isIterable(source)) {
      throw invalidArgType('val', ['Readable', 'Iterable', 'AsyncIterable', 'ReadableStream',
        'TransformStream'], source);
    }
    require('internal/streams/web').pump(iterableOf(source),
      kind === 'pair' ? part.writable : part, this.#await(), { end: ends });
    return part;
  }

  run(parts) {
    const signal = this.#signal;
    validateAbortSignal(signal, 'options.signal');
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
    let current;
    parts.forEach((part, index) => {
      const isLast = index === parts.length - 1;
      const ends = !isLast || this.#ends;
      if (isNode(part)) {
        if (ends) {
          const clean = this.#guard(part, !isLast, index > 0);
          if (isLast && canBeRead(part)) this.#cleanups.push(clean);
        }
        this.#listen(part, isLast);
      }
      if (index === 0) current = this.#first(part);
      else if (typeof part === 'function') current = this.#through(current, part, index, isLast);
      else if (isNode(part)) current = this.#into(current, part, ends, isLast);
      else {
        const kind = webKindOf(part);
        current = kind === 'pair' || kind === 'writable'
          ? this.#intoWeb(current, part, kind, ends)
          : this.#into(current, require('internal/streams/duplex').from(part), ends, isLast);
      }
    });
    if (signal?.aborted) process.nextTick(this.#onAbort);
    return current;
  }
}

function run(parts, callback, options = {}) {
  if (parts.length === 1 && Array.isArray(parts[0])) [parts] = parts;
  if (parts.length < 2) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "streams" argument must be specified');
  }
  return new Pipeline(callback, options).run(parts);
}

function pipeline(...parts) {
  const callback = parts.pop();
  if (typeof callback !== 'function') {
    throw invalidArgType('streams[stream.length - 1]', 'function', callback);
  }
  let isDone = false;
  return run(parts, (error, value) => {
    if (isDone) return;
    isDone = true;
    callback(error, value);
  });
}

module.exports = { pipeline, run };
