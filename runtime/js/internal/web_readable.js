'use strict';
// ReadableStream of the web: default readers and controllers.

const { withCode } = require('internal/errors');

const state = Symbol('state');

function wrongState(text) {
  return withCode(TypeError, 'ERR_INVALID_STATE', `Invalid state: ${text}`);
}

function deferred() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
}

// A promise that may be rejected without anybody looking.
function quiet(promise) {
  promise.then(undefined, () => {});
  return promise;
}

function sizeOf(strategy) {
  return strategy?.size === undefined ? () => 1 : (chunk) => strategy.size(chunk);
}

function highWaterMarkOf(strategy, otherwise) {
  const mark = Number(strategy?.highWaterMark ?? otherwise);
  if (Number.isNaN(mark) || mark < 0) {
    throw withCode(RangeError, 'ERR_INVALID_ARG_VALUE',
      `The property 'strategy.highWaterMark' is invalid. Received ${mark}`);
  }
  return mark;
}

class ReadableStreamDefaultController {
  constructor(stream) { this[state] = stream; }

  get desiredSize() {
    const s = this[state][state];
    if (s.kind === 'errored') return null;
    return s.kind === 'closed' ? 0 : s.mark - s.size;
  }

  enqueue(chunk) {
    const s = this[state][state];
    if (s.kind !== 'readable' || s.closing) throw wrongState('Controller is already closed');
    const waiting = s.reads.shift();
    if (waiting) waiting.resolve({ value: chunk, done: false });
    else {
      const size = Number(s.sizeOf(chunk));
      s.queue.push({ chunk, size });
      s.size += size;
    }
    pull(this[state]);
  }

  close() {
    const s = this[state][state];
    if (s.kind !== 'readable' || s.closing) throw wrongState('Controller is already closed');
    s.closing = true;
    if (s.queue.length === 0) finish(this[state]);
  }

  error(reason) { fail(this[state], reason); }

  // A byte stream's request; there is never one.
  get byobRequest() { return null; }
}

function finish(stream) {
  const s = stream[state];
  s.kind = 'closed';
  for (const read of s.reads.splice(0)) read.resolve({ value: undefined, done: true });
  s.reader?.[state].closed.resolve();
}

function fail(stream, reason) {
  const s = stream[state];
  if (s.kind !== 'readable') return;
  s.kind = 'errored';
  s.reason = reason;
  s.queue = [];
  for (const read of s.reads.splice(0)) read.reject(reason);
  s.reader?.[state].closed.reject(reason);
}

function pull(stream) {
  const s = stream[state];
  const isWanted = s.kind === 'readable' && !s.closing && s.started &&
    (s.reads.length > 0 || s.mark - s.size > 0);
  if (!isWanted || s.source.pull === undefined) return;
  if (s.pulling) {
    s.pullAgain = true;
    return;
  }
  s.pulling = true;
  let answer;
  try {
    answer = Promise.resolve(s.source.pull(s.controller));
  } catch (error) {
    answer = Promise.reject(error);
  }
  answer.then(() => {
    s.pulling = false;
    if (!s.pullAgain) return;
    s.pullAgain = false;
    pull(stream);
  }, (error) => fail(stream, error));
}

function cancel(stream, reason) {
  const s = stream[state];
  s.disturbed = true;
  if (s.kind === 'closed') return Promise.resolve();
  if (s.kind === 'errored') return Promise.reject(s.reason);
  s.queue = [];
  finish(stream);
  try {
    return Promise.resolve(s.source.cancel?.(reason)).then(() => undefined);
  } catch (error) {
    return Promise.reject(error);
  }
}

function readFrom(stream) {
  const s = stream[state];
  s.disturbed = true;
  if (s.queue.length > 0) {
    const { chunk, size } = s.queue.shift();
    s.size -= size;
    if (s.closing && s.queue.length === 0) finish(stream);
    else pull(stream);
    return Promise.resolve({ value: chunk, done: false });
  }
  if (s.kind === 'closed') return Promise.resolve({ value: undefined, done: true });
  if (s.kind === 'errored') return Promise.reject(s.reason);
  const read = deferred();
  s.reads.push(read);
  pull(stream);
  return read.promise;
}

class ReadableStreamDefaultReader {
  constructor(stream) {
    const s = stream[state];
    if (s.reader) throw wrongState('ReadableStream is locked');
    const closed = deferred();
    quiet(closed.promise);
    this[state] = { stream, closed };
    s.reader = this;
    if (s.kind === 'closed') closed.resolve();
    if (s.kind === 'errored') closed.reject(s.reason);
  }

  get closed() { return this[state].closed.promise; }

  read() {
    const { stream } = this[state];
    if (!stream) return Promise.reject(wrongState('The reader is not attached to a stream'));
    return readFrom(stream);
  }

  cancel(reason) {
    const { stream } = this[state];
    if (!stream) return Promise.reject(wrongState('The reader is not attached to a stream'));
    return cancel(stream, reason);
  }

  releaseLock() {
    const { stream } = this[state];
    if (!stream) return;
    const released = withCode(TypeError, 'ERR_INVALID_STATE', 'Invalid state: Reader released');
    for (const read of stream[state].reads.splice(0)) read.reject(released);
    this[state].closed = deferred();
    quiet(this[state].closed.promise);
    this[state].closed.reject(released);
    stream[state].reader = undefined;
    this[state].stream = undefined;
  }
}

class ReadableStream {
  constructor(source = {}, strategy = {}) {
    const s = { kind: 'readable', source: source ?? {}, queue: [], size: 0, reads: [],
      sizeOf: sizeOf(strategy), mark: highWaterMarkOf(strategy, source?.type === 'bytes' ? 0 : 1) };
    Object.defineProperty(this, state, { value: s });
    s.controller = new ReadableStreamDefaultController(this);
    const begun = s.source.start?.(s.controller);
    Promise.resolve(begun).then(() => {
      s.started = true;
      pull(this);
    }, (error) => fail(this, error));
  }

  static from(iterable) {
    const iterator = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) {
        const { value, done } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(await value);
      },
      cancel: async (reason) => { await iterator.return?.(reason); },
    }, { highWaterMark: 0 });
  }

  get locked() { return this[state].reader !== undefined; }

  cancel(reason) {
    if (this.locked) return Promise.reject(wrongState('ReadableStream is locked'));
    return cancel(this, reason);
  }

  getReader(options) {
    if (options?.mode === 'byob') {
      throw withCode(TypeError, 'ERR_INVALID_ARG_VALUE',
        'Readers of the caller\'s own bytes are not available in phasor');
    }
    return new ReadableStreamDefaultReader(this);
  }

  pipeThrough(pair, options) {
    quiet(this.pipeTo(pair.writable, options));
    return pair.readable;
  }

  async pipeTo(target, { preventClose, preventAbort, preventCancel, signal } = {}) {
    if (this.locked) throw wrongState('The ReadableStream is locked');
    if (target.locked) throw wrongState('The WritableStream is locked');
    const reader = this.getReader();
    const writer = target.getWriter();
    const onAbort = () => {
      if (!preventAbort) quiet(writer.abort(signal.reason));
      if (!preventCancel) quiet(reader.cancel(signal.reason));
    };
    signal?.addEventListener('abort', onAbort);
    try {
      signal?.throwIfAborted();
      for (;;) {
        await writer.ready;
        let step;
        try {
          step = await reader.read();
        } catch (error) {
          if (!preventAbort) await writer.abort(error);
          throw error;
        }
        signal?.throwIfAborted();
        if (step.done) break;
        quiet(writer.write(step.value));
      }
      if (!preventClose) await writer.close();
    } catch (error) {
      if (!preventCancel && this[state].kind === 'readable') quiet(cancel(this, error));
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      reader.releaseLock();
      writer.releaseLock();
    }
  }

  tee() {
    const reader = this.getReader();
    const branches = [];
    const gone = [];
    let reading;
    const step = () => {
      reading ??= reader.read().then(({ value, done }) => {
        reading = undefined;
        branches.forEach((branch, i) => {
          if (gone[i]) return;
          if (done) branch.close();
          else branch.enqueue(value);
        });
      }, (error) => branches.forEach((branch) => branch.error(error)));
      return reading;
    };
    const make = (i) => new ReadableStream({
      start(controller) { branches[i] = controller; },
      pull: step,
      cancel(reason) {
        gone[i] = true;
        return gone[0] && gone[1] ? reader.cancel(reason) : undefined;
      },
    });
    return [make(0), make(1)];
  }

  values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    return {
      async next() {
        const step = await reader.read();
        if (step.done) reader.releaseLock();
        return step;
      },
      async return(value) {
        if (!reader[state].stream) return { value, done: true };
        if (!preventCancel) await reader.cancel(value);
        reader.releaseLock();
        return { value, done: true };
      },
      [Symbol.asyncIterator]() { return this; },
    };
  }

  [Symbol.asyncIterator](options) { return this.values(options); }
}

for (const Class of [ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController])
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });

module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController,
  state, deferred, quiet, sizeOf, highWaterMarkOf, wrongState,
};
