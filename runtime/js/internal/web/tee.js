'use strict';
// One readable stream as two.

const { state, deferred } = require('internal/web/base');
const core = require('internal/web/readable_core');
const defaults = require('internal/web/default_controller');
const bytes = require('internal/web/byte_controller');

// What both kinds share: cancelling the source once both branches are cancelled.
function shared(stream) {
  const { make } = require('internal/web/readable');
  const both = { reading: false, cancelled: [false, false], reasons: [], branches: [], make,
    cancelDone: deferred() };
  both.cancelOf = (i) => (reason) => {
    both.cancelled[i] = true;
    both.reasons[i] = reason;
    if (both.cancelled[1 - i]) {
      both.cancelDone.resolve(core.cancel(stream, [both.reasons[0], both.reasons[1]]));
    }
    return both.cancelDone.promise;
  };
  both.controllers = () => both.branches.map((branch) => branch[state].controller);
  both.each = (work) => both.controllers().forEach((one, i) => {
    if (!both.cancelled[i]) work(one, i);
  });
  both.ended = () => {
    if (!both.cancelled[0] || !both.cancelled[1]) both.cancelDone.resolve();
  };
  return both;
}

function teeDefault(stream, clonesSecond) {
  const { ReadableStreamDefaultReader } = require('internal/web/readers');
  const reader = new ReadableStreamDefaultReader(stream);
  const both = shared(stream);
  let again = false;
  const pull = () => {
    if (both.reading) {
      again = true;
      return Promise.resolve();
    }
    both.reading = true;
    core.read(reader, {
      chunk(value) {
        queueMicrotask(() => {
          again = false;
          both.each((one, i) => defaults.enqueue(one,
            i === 1 && clonesSecond ? structuredClone(value) : value));
          both.reading = false;
          if (again) pull();
        });
      },
      close() {
        both.reading = false;
        both.each((one) => defaults.close(one));
        both.ended();
      },
      error() { both.reading = false; },
    });
    return Promise.resolve();
  };
  both.branches = [0, 1].map((i) => both.make((branch) =>
    defaults.setUp(branch, { start() {}, pull, cancel: both.cancelOf(i) }, 1, () => 1)));
  reader[state].close.promise.then(undefined, (error) => {
    for (const one of both.controllers()) defaults.fail(one, error);
    both.ended();
  });
  return both.branches;
}

// A stream of bytes: the reader changes with what the branches are asked for.
class ByteTee {
  constructor(stream) {
    const { ReadableStreamDefaultReader, ReadableStreamBYOBReader, readInto } =
      require('internal/web/readers');
    this.stream = stream;
    this.Default = ReadableStreamDefaultReader;
    this.Byob = ReadableStreamBYOBReader;
    this.readInto = readInto;
    this.both = shared(stream);
    this.again = [false, false];
    this.reader = new ReadableStreamDefaultReader(stream);
    this.both.branches = [0, 1].map((i) => this.both.make((branch) => bytes.setUp(branch,
      { start() {}, pull: () => this.pull(i), cancel: this.both.cancelOf(i) }, 0, undefined)));
    this.watch();
  }

  watch() {
    const { reader, both } = this;
    reader[state].close.promise.then(undefined, (error) => {
      if (reader !== this.reader) return;
      for (const one of both.controllers()) bytes.fail(one, error);
      both.ended();
    });
  }

  use(Reader) {
    if (this.reader instanceof Reader) return;
    const { reader } = this;
    this.reader = undefined;
    reader.releaseLock();
    this.reader = new Reader(this.stream);
    this.watch();
  }

  pull(i) {
    const { both } = this;
    if (both.reading) {
      this.again[i] = true;
      return Promise.resolve();
    }
    both.reading = true;
    const request = both.branches[i][state].controller.byobRequest;
    if (request === null) this.pullChunk();
    else this.pullInto(request[state].view, i);
    return Promise.resolve();
  }

  next() {
    this.both.reading = false;
    for (const i of [0, 1]) {
      if (!this.again[i]) continue;
      this.pull(i);
      return;
    }
  }

  // A copy for the other branch; failing to make one fails both.
  copyOf(view) {
    try {
      return new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
    } catch (error) {
      for (const one of this.both.controllers()) bytes.fail(one, error);
      this.both.cancelDone.resolve(core.cancel(this.stream, error));
      return undefined;
    }
  }

  pullChunk() {
    const { both } = this;
    this.use(this.Default);
    core.read(this.reader, {
      chunk: (value) => queueMicrotask(() => {
        this.again = [false, false];
        const isForBoth = !both.cancelled[0] && !both.cancelled[1];
        const second = isForBoth ? this.copyOf(value) : value;
        if (second === undefined) return;
        both.each((one, i) => bytes.enqueue(one, i === 0 ? value : second));
        this.next();
      }),
      close: () => {
        both.reading = false;
        both.each((one) => bytes.close(one));
        for (const one of both.controllers()) {
          if (one[state].pendingPullIntos.length > 0) bytes.respond(one, 0);
        }
        both.ended();
      },
      error() { both.reading = false; },
    });
  }

  pullInto(view, i) {
    const { both } = this;
    this.use(this.Byob);
    const [own, other] = i === 0 ? both.controllers() : both.controllers().reverse();
    this.readInto(this.reader, view, 1, {
      chunk: (value) => queueMicrotask(() => {
        this.again = [false, false];
        if (!both.cancelled[1 - i]) {
          const copy = this.copyOf(value);
          if (copy === undefined) return;
          if (!both.cancelled[i]) bytes.respondWithNewView(own, value);
          bytes.enqueue(other, copy);
        } else if (!both.cancelled[i]) {
          bytes.respondWithNewView(own, value);
        }
        this.next();
      }),
      close: (value) => {
        both.reading = false;
        both.each((one) => bytes.close(one));
        if (value !== undefined) {
          if (!both.cancelled[i]) bytes.respondWithNewView(own, value);
          if (!both.cancelled[1 - i] && other[state].pendingPullIntos.length > 0) {
            bytes.respond(other, 0);
          }
        }
        both.ended();
      },
      error() { both.reading = false; },
    });
  }
}

function tee(stream, clonesSecond = false) {
  if (bytes.isByteController(stream[state].controller)) return new ByteTee(stream).both.branches;
  return teeDefault(stream, clonesSecond);
}

module.exports = { tee };
