'use strict';
// Streams of the web where streams of Node are expected: finished(), pipeline(), compose().

const { AbortError } = require('internal/errors/errors');
const { state, deferred, handled } = require('internal/web/base');

const KINDS = { __proto__: null, ReadableStream: 'readable', WritableStream: 'writable',
  TransformStream: 'pair' };

// 'readable', 'writable', 'pair' of both, or undefined
const kindOf = (value) => KINDS[value?.[state]?.brand];

// A promise that is settled when the stream is; its slots have it from the first question on.
function endOf(stream) {
  const slot = stream[state];
  if (slot.over === undefined) {
    slot.over = deferred();
    handled(slot.over.promise);
    if (slot.state === 'closed') slot.over.resolve();
    else if (slot.state === 'errored') slot.over.reject(slot.storedError);
  }
  return slot.over.promise;
}

function finished(stream, { signal }, callback) {
  let isOver = false;
  const call = (error) => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
    process.nextTick(() => callback.call(stream, error));
  };
  const onAbort = () => call(new AbortError(undefined, { cause: signal.reason }));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  endOf(stream).then(() => call(), call);
  return () => { isOver = true; };
}

function addAbortSignal(signal, stream) {
  const onAbort = () => {
    stream[state].controller.error(new AbortError(undefined, { cause: signal.reason }));
  };
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
    finished(stream, {}, () => signal.removeEventListener('abort', onAbort));
  }
  return stream;
}

async function pump(iterable, writable, done, { end }) {
  const writer = writable.getWriter();
  try {
    for await (const chunk of iterable) {
      await writer.ready;
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (end) await writer.close();
    done();
  } catch (error) {
    try {
      await writer.abort(error);
      done(error);
    } catch (other) {
      done(other);
    }
  }
}

// The same as a stream of Node.
function toNode(stream) {
  const kind = kindOf(stream);
  if (kind === undefined) return stream;
  const adapters = require('internal/streams/web_adapters');
  const options = { objectMode: true };
  if (kind === 'pair') return adapters.duplexFromWeb(stream, options);
  return kind === 'readable' ? adapters.readableFromWeb(stream, options)
    : adapters.writableFromWeb(stream, options);
}

module.exports = { addAbortSignal, finished, kindOf, pump, toNode };
