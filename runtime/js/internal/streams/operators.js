'use strict';
// map, filter, toArray and the other helpers of Readable.

const { AbortError, invalidArgType, outOfRange, withCode } = require('internal/errors/errors');
const { validateAbortSignal, validateInteger, validateObject } =
  require('internal/errors/validators');

const NOTHING = Symbol('nothing');

function validateWork(work, name = 'fn') {
  if (typeof work !== 'function') throw invalidArgType(name, ['Function', 'AsyncFunction'], work);
}

function validateCount(given) {
  const count = Number(given);
  if (Number.isNaN(count)) return 0;
  if (count < 0) throw outOfRange('number', '>= 0', count);
  return count;
}

function checkOptions(options) {
  if (options === undefined || options === null) return {};
  validateObject(options, 'options');
  if (options.signal !== undefined && options.signal !== null) {
    validateAbortSignal(options.signal, 'options.signal');
  }
  return options;
}

function checkParallel(options) {
  const checked = checkOptions(options);
  const { concurrency = 1, highWaterMark } = checked;
  const most = Math.floor(concurrency);
  validateInteger(most, 'options.concurrency', 1);
  const kept = highWaterMark === undefined || highWaterMark === null ? most - 1
    : Math.floor(highWaterMark);
  validateInteger(kept, 'options.highWaterMark', 0);
  return { signal: checked.signal, most, kept: kept + most };
}

function checkAbort(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

// Runs the work for several items at once; results come in the order of the items.
class Parallel {
  constructor(source, work, { signal, most, kept }) {
    Object.assign(this, { source, work, most, kept, running: 0, results: [], isOver: false });
    this.own = new AbortController();
    this.signal = AbortSignal.any([this.own.signal, ...signal ? [signal] : []]);
    this.given = signal;
    this.wakeReader = this.wakeTaker = undefined;
  }

  changed() {
    for (const name of ['wakeReader', 'wakeTaker']) {
      const wake = this[name];
      this[name] = undefined;
      if (wake) wake();
    }
  }

  begin(item) {
    let result;
    try {
      result = this.work(item, { signal: this.signal });
      if (result === NOTHING) return;
      result = Promise.resolve(result);
    } catch (error) {
      result = Promise.reject(error);
    }
    this.running++;
    const done = () => {
      this.running--;
      this.changed();
    };
    result.then(done, () => {
      this.isOver = true;
      done();
    });
    this.results.push(result);
    this.changed();
  }

  async read() {
    try {
      for await (const item of this.source) {
        if (this.isOver) return;
        checkAbort(this.signal);
        this.begin(item);
        while (!this.isOver && (this.running >= this.most || this.results.length >= this.kept)) {
          await new Promise((resolve) => { this.wakeReader = resolve; });
        }
      }
      this.results.push(NOTHING);
    } catch (error) {
      const failure = Promise.reject(error);
      failure.catch(() => {});
      this.results.push(failure);
    } finally {
      this.changed();
    }
  }

  async* [Symbol.asyncIterator]() {
    this.read();
    const onAbort = () => this.changed();
    this.given?.addEventListener('abort', onAbort);
    try {
      for (;;) {
        while (this.results.length > 0) {
          const value = await this.results[0];
          if (value === NOTHING && this.results[0] === NOTHING) return;
          checkAbort(this.given);
          if (value !== NOTHING) yield value;
          this.results.shift();
          this.changed();
        }
        checkAbort(this.given);
        await new Promise((resolve) => { this.wakeTaker = resolve; });
      }
    } finally {
      this.given?.removeEventListener('abort', onAbort);
      this.isOver = true;
      this.own.abort();
      this.changed();
    }
  }
}

function mapped(source, work, options) {
  return new Parallel(source, work, options)[Symbol.asyncIterator]();
}

function filtering(work) {
  return async (item, context) => (await work(item, context) ? item : NOTHING);
}

async function* flattened(source, work, options) {
  for await (const item of mapped(source, work, options)) yield* item;
}

async function* taken(source, count, signal) {
  checkAbort(signal);
  if (count <= 0) return;
  for await (const item of source) {
    checkAbort(signal);
    yield item;
    if (--count <= 0) return;
  }
}

async function* rest(source, count, signal) {
  checkAbort(signal);
  for await (const item of source) {
    checkAbort(signal);
    if (count-- <= 0) yield item;
  }
}

async function* numbered(source, signal) {
  let index = 0;
  for await (const item of source) {
    checkAbort(signal);
    yield [index++, item];
  }
}

const streaming = {
  map(work, options) {
    validateWork(work);
    return mapped(this, work, checkParallel(options));
  },
  filter(work, options) {
    validateWork(work);
    return mapped(this, filtering(work), checkParallel(options));
  },
  flatMap(work, options) {
    validateWork(work);
    return flattened(this, work, checkParallel(options));
  },
  take(count, options) {
    const { signal } = checkOptions(options);
    return taken(this, validateCount(count), signal);
  },
  drop(count, options) {
    const { signal } = checkOptions(options);
    return rest(this, validateCount(count), signal);
  },
  asIndexedPairs(options) {
    return numbered(this, checkOptions(options).signal);
  },
};

async function firstFitting(source, work, options) {
  const parallel = checkParallel(options);
  for await (const item of mapped(source, filtering(work), parallel)) return [item];
  return undefined;
}

async function reduce(source, work, options, initial) {
  const { signal } = checkOptions(options);
  const own = new AbortController();
  if (signal?.aborted) {
    const error = new AbortError(undefined, { cause: signal.reason });
    source.once('error', () => {});
    await require('internal/streams/end').finished(source.destroy(error), () => {});
    throw error;
  }
  const stop = () => {
    own.abort();
    source.destroy(new AbortError(undefined, { cause: signal.reason }));
  };
  signal?.addEventListener('abort', stop, { once: true });
  let has = initial.length > 0;
  let [total] = initial;
  try {
    for await (const item of source) {
      checkAbort(signal);
      total = has ? await work(total, item, { signal: own.signal }) : item;
      has = true;
    }
  } finally {
    own.abort();
    signal?.removeEventListener('abort', stop);
  }
  if (!has) {
    throw withCode(TypeError, 'ERR_MISSING_ARGS',
      'Reduce of an empty stream requires an initial value');
  }
  return total;
}

const consuming = {
  async toArray(options) {
    const { signal } = checkOptions(options);
    const out = [];
    for await (const item of this) {
      checkAbort(signal);
      out.push(item);
    }
    return out;
  },
  async forEach(work, options) {
    validateWork(work);
    const each = async (item, context) => {
      await work(item, context);
      return NOTHING;
    };
    for await (const item of mapped(this, each, checkParallel(options))) void item;
  },
  async some(work, options) {
    validateWork(work);
    return (await firstFitting(this, work, options)) !== undefined;
  },
  async every(work, options) {
    validateWork(work);
    const fails = async (...args) => !await work(...args);
    return (await firstFitting(this, fails, options)) === undefined;
  },
  async find(work, options) {
    validateWork(work);
    return (await firstFitting(this, work, options))?.[0];
  },
  async reduce(work, ...rest) {
    validateWork(work, 'reducer');
    return reduce(this, work, rest[1], rest.slice(0, 1));
  },
};

function composeWith(Readable, stream, options) {
  const { signal } = checkOptions(options);
  const { isNode, isWritable } = require('internal/streams/end');
  if (isNode(stream) && !isWritable(stream)) {
    throw require('internal/errors/errors').invalidArgValue('stream', stream, 'must be writable');
  }
  const { compose } = require('internal/streams/compose');
  const composed = compose(this, stream);
  if (signal) require('internal/streams/abort').addAbortSignal(signal, composed);
  return composed;
}

function install(Readable) {
  const define = (name, value) => {
    Object.defineProperty(value, 'length',
      { value: name === 'toArray' || name === 'asIndexedPairs' ? 0 : 1, configurable: true });
    Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true });
  };
  for (const [name, method] of Object.entries(streaming)) {
    define(name, { [name](...args) { return Readable.from(method.apply(this, args)); } }[name]);
  }
  for (const [name, method] of Object.entries(consuming)) define(name, method);
  define('compose', function compose(stream, options) {
    return composeWith.call(this, Readable, stream, options);
  });
}

module.exports = { install };
