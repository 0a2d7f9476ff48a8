'use strict';
// WritableStream and TransformStream of the web.

const { ReadableStream, state, deferred, quiet, sizeOf, highWaterMarkOf, wrongState } =
  require('internal/web_readable');

class WritableStreamDefaultController {
  #abort = new AbortController();

  constructor(stream) { this[state] = stream; }

  get signal() { return this.#abort.signal; }

  error(reason) {
    if (this[state][state].kind === 'writable') fail(this[state], reason);
  }

  [Symbol.for('phasor.abort')](reason) { this.#abort.abort(reason); }
}

function fail(stream, reason) {
  const s = stream[state];
  s.kind = 'errored';
  s.reason = reason;
  for (const { done } of s.queue.splice(0)) done.reject(reason);
  s.ready.reject(reason);
  s.closed.reject(reason);
}

function backpressure(stream) {
  const s = stream[state];
  if (s.kind !== 'writable') return;
  const isFull = s.mark - s.size <= 0;
  if (isFull && !s.full) {
    s.ready = deferred();
    quiet(s.ready.promise);
  } else if (!isFull && s.full) {
    s.ready.resolve();
  }
  s.full = isFull;
}

async function work(stream) {
  const s = stream[state];
  if (s.working || !s.started) return;
  s.working = true;
  while (s.queue.length > 0 && s.kind === 'writable') {
    const next = s.queue[0];
    try {
      if (next.isClose) await s.sink.close?.();
      else await s.sink.write?.(next.chunk, s.controller);
    } catch (error) {
      s.queue.shift();
      next.done.reject(error);
      fail(stream, error);
      break;
    }
    if (s.kind !== 'writable') {
      next.done.reject(s.reason);
      break;
    }
    s.queue.shift();
    s.size -= next.size;
    if (next.isClose) {
      s.kind = 'closed';
      s.closed.resolve();
      s.ready.resolve();
    }
    next.done.resolve();
    backpressure(stream);
  }
  s.working = false;
}

function put(stream, entry) {
  const s = stream[state];
  if (s.kind === 'errored') return Promise.reject(s.reason);
  if (s.kind === 'closed' || s.closing)
    return Promise.reject(wrongState('WritableStream is closed'));
  const done = deferred();
  quiet(done.promise);
  s.queue.push({ ...entry, done });
  s.size += entry.size;
  s.closing = Boolean(entry.isClose);
  if (!s.closing) backpressure(stream);
  work(stream);
  return done.promise;
}

async function abort(stream, reason) {
  const s = stream[state];
  if (s.kind !== 'writable') return;
  s.controller[Symbol.for('phasor.abort')](reason);
  fail(stream, reason);
  await s.sink.abort?.(reason);
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    if (stream[state].writer) throw wrongState('WritableStream is locked');
    this[state] = stream;
    stream[state].writer = this;
  }

  get closed() { return this[state][state].closed.promise; }

  get ready() { return this[state][state].ready.promise; }

  get desiredSize() {
    const s = this[state][state];
    if (s.kind === 'errored') return null;
    return s.kind === 'closed' ? 0 : s.mark - s.size;
  }

  write(chunk) {
    if (!this[state]) return Promise.reject(wrongState('Writer is not bound to a WritableStream'));
    return put(this[state], { chunk, size: Number(this[state][state].sizeOf(chunk)) });
  }

  close() { return put(this[state], { isClose: true, size: 0 }); }

  abort(reason) { return abort(this[state], reason); }

  releaseLock() {
    if (this[state]) this[state][state].writer = undefined;
    this[state] = undefined;
  }
}

class WritableStream {
  constructor(sink = {}, strategy = {}) {
    const s = { kind: 'writable', sink: sink ?? {}, queue: [], size: 0, sizeOf: sizeOf(strategy),
      mark: highWaterMarkOf(strategy, 1), ready: deferred(), closed: deferred() };
    Object.defineProperty(this, state, { value: s });
    quiet(s.closed.promise);
    quiet(s.ready.promise);
    s.ready.resolve();
    s.controller = new WritableStreamDefaultController(this);
    Promise.resolve(s.sink.start?.(s.controller)).then(() => {
      s.started = true;
      backpressure(this);
      work(this);
    }, (error) => fail(this, error));
  }

  get locked() { return this[state].writer !== undefined; }

  abort(reason) {
    return this.locked ? Promise.reject(wrongState('WritableStream is locked'))
      : abort(this, reason);
  }

  close() {
    return this.locked ? Promise.reject(wrongState('WritableStream is locked'))
      : put(this, { isClose: true, size: 0 });
  }

  getWriter() { return new WritableStreamDefaultWriter(this); }
}

class TransformStreamDefaultController {
  #readable;
  #fail;

  constructor(readable, failBoth) {
    this.#readable = readable;
    this.#fail = failBoth;
  }

  get desiredSize() { return this.#readable.desiredSize; }

  enqueue(chunk) { this.#readable.enqueue(chunk); }

  error(reason) { this.#fail(reason); }

  terminate() {
    this.#readable.close();
    this.#fail(wrongState('TransformStream terminated'), true);
  }
}

class TransformStream {
  constructor(transformer = {}, writableStrategy = {}, readableStrategy = {}) {
    let readable;
    let wanted = deferred();
    let writable;
    const failBoth = (reason, writableOnly) => {
      if (!writableOnly) readable.error(reason);
      writable.error(reason);
      wanted.resolve();
    };
    this.readable = new ReadableStream({
      start(controller) { readable = controller; },
      pull() { wanted.resolve(); },
      cancel(reason) {
        failBoth(reason, true);
        return transformer.cancel?.(reason);
      },
    }, { highWaterMark: 0, ...readableStrategy });
    const controller = new TransformStreamDefaultController(readable, failBoth);
    this.writable = new WritableStream({
      start(made) {
        writable = made;
        return transformer.start?.(controller);
      },
      async write(chunk) {
        if (readable.desiredSize <= 0) {
          await wanted.promise;
          wanted = deferred();
        }
        try {
          if (transformer.transform) await transformer.transform(chunk, controller);
          else controller.enqueue(chunk);
        } catch (error) {
          readable.error(error);
          throw error;
        }
      },
      async close() {
        try {
          await transformer.flush?.(controller);
          readable.close();
        } catch (error) {
          readable.error(error);
          throw error;
        }
      },
      abort(reason) { readable.error(reason); },
    }, writableStrategy);
  }
}

class CountQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; }

  size() { return 1; }
}

class ByteLengthQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; }

  size(chunk) { return chunk.byteLength; }
}

class TextEncoderStream extends TransformStream {
  constructor() {
    const encoder = new TextEncoder();
    super({ transform: (chunk, controller) => {
      const bytes = encoder.encode(chunk);
      if (bytes.length > 0) controller.enqueue(bytes);
    } });
    this.encoding = 'utf-8';
  }
}

class TextDecoderStream extends TransformStream {
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    super({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        if (text) controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text) controller.enqueue(text);
      },
    });
    this.encoding = decoder.encoding;
  }
}

const classes = { WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController,
  TransformStream, TransformStreamDefaultController, CountQueuingStrategy,
  ByteLengthQueuingStrategy, TextEncoderStream, TextDecoderStream };
for (const Class of Object.values(classes))
  Object.defineProperty(Class.prototype, Symbol.toStringTag,
    { value: Class.name, configurable: true });

module.exports = classes;
