'use strict';
const { AbortError, invalidArgType } = require('internal/errors/errors');

function addAbortSignal(signal, stream) {
  if (signal === null || typeof signal !== 'object' || !('aborted' in signal)) {
    throw invalidArgType('signal', 'AbortSignal', signal);
  }
  if (!stream || typeof stream.on !== 'function') {
    const web = require('internal/streams/web');
    const kind = web.kindOf(stream);
    if (kind === 'readable' || kind === 'writable') return web.addAbortSignal(signal, stream);
    throw invalidArgType('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return addUnchecked(signal, stream);
}

// What is no signal does nothing.
function addUnchecked(signal, stream) {
  if (signal === null || typeof signal !== 'object' || !('aborted' in signal)) return stream;
  const onAbort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
    require('internal/streams/end').finished(stream,
      () => signal.removeEventListener('abort', onAbort));
  }
  return stream;
}

module.exports = { addAbortSignal, addUnchecked };
