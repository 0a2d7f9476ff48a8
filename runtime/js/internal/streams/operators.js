'use strict';
// map, filter, toArray and the other helpers of Readable.

const { AbortError, validateFunction } = require('internal/errors');

function checkAbort(options) {
  if (options && options.signal && options.signal.aborted) {
    throw new AbortError(undefined, { cause: options.signal.reason });
  }
}

async function* mapped(source, work, options) {
  const most = (options && options.concurrency) || 1;
  const running = [];
  const signal = options && options.signal;
  try {
    for await (const item of source) {
      checkAbort(options);
      running.push(Promise.resolve(work(item, { signal })));
      running[running.length - 1].catch(() => {});
      if (running.length >= most) yield await running.shift();
    }
    while (running.length > 0) yield await running.shift();
  } finally {
    running.length = 0;
  }
}

const streaming = {
  map(work, options) {
    validateFunction(work, 'fn');
    return mapped(this, work, options);
  },
  async* filter(work, options) {
    validateFunction(work, 'fn');
    for await (const item of this) {
      checkAbort(options);
      if (await work(item, {})) yield item;
    }
  },
  async* flatMap(work, options) {
    for await (const item of mapped(this, work, options)) yield* item;
  },
  async* take(count) {
    if (count <= 0) return;
    for await (const item of this) {
      yield item;
      if (--count <= 0) return;
    }
  },
  async* drop(count) {
    for await (const item of this) if (count-- <= 0) yield item;
  },
  async* asIndexedPairs() {
    let index = 0;
    for await (const item of this) yield [index++, item];
  },
};

const consuming = {
  async toArray(options) {
    const out = [];
    for await (const item of this) {
      checkAbort(options);
      out.push(item);
    }
    return out;
  },
  async forEach(work, options) {
    validateFunction(work, 'fn');
    for await (const item of this) {
      checkAbort(options);
      await work(item, {});
    }
  },
  async some(work) {
    for await (const item of this) if (await work(item, {})) return true;
    return false;
  },
  async every(work) {
    for await (const item of this) if (!await work(item, {})) return false;
    return true;
  },
  async find(work) {
    for await (const item of this) if (await work(item, {})) return item;
    return undefined;
  },
  async reduce(work, ...initial) {
    let has = initial.length > 0;
    let [total] = initial;
    for await (const item of this) {
      total = has ? await work(total, item, {}) : item;
      has = true;
    }
    if (!has) throw new TypeError('Reduce of an empty stream requires an initial value');
    return total;
  },
};

function install(Readable) {
  for (const [name, method] of Object.entries(streaming)) {
    Object.defineProperty(Readable.prototype, name, {
      writable: true,
      configurable: true,
      value(...args) { return Readable.from(method.apply(this, args)); },
    });
  }
  for (const [name, method] of Object.entries(consuming)) {
    Object.defineProperty(Readable.prototype, name,
      { value: method, writable: true, configurable: true });
  }
}

module.exports = { install };
