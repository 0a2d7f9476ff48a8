'use strict';
// pipeline(): streams, iterables and generator functions in a row; one callback, nothing leaks.

const { AbortError, aggregateTwo, validateFunction, withCode, invalidArgType } =
  require('internal/errors');
const { finished, isNode } = require('internal/streams/end');
const { destroyer } = require('internal/streams/destroy');

function isIterable(value) {
  return value != null && (typeof value[Symbol.asyncIterator] === 'function' ||
    typeof value[Symbol.iterator] === 'function');
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

function run(streams, callback, options = {}) {
  if (streams.length < 2) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS', 'The "streams" argument must be specified');
  }
  const controller = new AbortController();
  const { signal } = controller;
  const outer = options.signal;
  const watched = [];
  const cleanups = [];
  let failure;
  let value;
  let waiting = 0;
  const abort = () => finishAll(new AbortError(undefined, outer && { cause: outer.reason }));
  if (outer) {
    if (outer.aborted) process.nextTick(abort);
    else outer.addEventListener('abort', abort, { once: true });
  }
  function finishOne(error) {
    settle(error, --waiting === 0);
  }
  function finishAll(error) {
    settle(error, true);
  }
  let over = false;
  function settle(error, final) {
    if (error && (!failure || failure.code === 'ERR_STREAM_PREMATURE_CLOSE')) failure = error;
    if (!failure && !final) return;
    while (watched.length > 0) watched.shift()(failure);
    if (outer) outer.removeEventListener('abort', abort);
    controller.abort();
    if (final) {
      if (!failure) for (const cleanup of cleanups) cleanup();
      if (!over) {
        over = true;
        process.nextTick(callback, failure, value);
      }
    }
  }
  let current;
  for (let i = 0; i < streams.length; i++) {
    const stream = streams[i];
    const reading = i < streams.length - 1;
    const writing = i > 0;
    const end = reading || options.end !== false;
    const isLast = i === streams.length - 1;
    if (isNode(stream)) {
      if (end) {
        const { destroy, cleanup } = watch(stream, reading, writing);
        watched.push(destroy);
        if (stream.readable && isLast) cleanups.push(cleanup);
      }
      const onError = (error) => {
        if (error && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
          finishOne(error);
        }
      };
      stream.on('error', onError);
      if (stream.readable && isLast) cleanups.push(() => stream.removeListener('error', onError));
    }
    if (i === 0) {
      if (typeof stream === 'function') {
        current = stream({ signal });
        if (!isIterable(current)) {
          throw withCode(
            TypeError,
            'ERR_INVALID_RETURN_VALUE',
            'Expected Iterable, AsyncIterable or Stream to be returned from the "source" function'
          );
        }
      } else if (isIterable(stream) || isNode(stream)) {
        current = stream;
      } else {
        throw invalidArgType('val', ['Stream', 'Iterable', 'AsyncIterable'], stream);
      }
    } else if (typeof stream === 'function') {
      current = stream(current, { signal });
      if (reading) {
        if (!isIterable(current)) {
          throw withCode(
            TypeError,
            'ERR_INVALID_RETURN_VALUE',
            `Expected AsyncIterable to be returned from the "transform[${i - 1}]" function`
          );
        }
      } else {
        const { PassThrough } = require('internal/streams/transform');
        const out = new PassThrough({ objectMode: true });
        const result = current;
        if (result && typeof result.then === 'function') {
          waiting++;
          result.then((given) => {
            value = given;
            if (given != null) out.write(given);
            out.end();
            process.nextTick(finishOne);
          }, (error) => {
            out.destroy(error);
            process.nextTick(finishOne, error);
          });
        } else if (isIterable(result)) {
          waiting++;
          pump(result, out, finishOne, { end });
        }
        current = out;
        const { destroy, cleanup } = watch(out, false, true);
        watched.push(destroy);
        cleanups.push(cleanup);
      }
    } else if (isNode(stream)) {
      if (isNode(current) && typeof current.pipe === 'function') {
        waiting += 2;
        const cleanup = connect(current, stream, finishOne, { end });
        if (stream.readable && isLast) cleanups.push(cleanup);
      } else {
        waiting++;
        pump(current, stream, finishOne, { end });
      }
      current = stream;
    } else {
      throw invalidArgType('val', ['Stream', 'Function'], stream);
    }
  }
  return current;
}

module.exports = { pipeline, run };
