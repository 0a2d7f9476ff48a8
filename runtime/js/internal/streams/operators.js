'use strict';
// map, filter, toArray and the other helpers of Readable.

const { AbortError, invalidArgType, outOfRange, withCode } = require('internal/errors');

function validateWork(work, name = 'fn') {
  if (typeof work !== 'function') throw invalidArgType(name, ['Function', 'AsyncFunction'], work);
}

function validateCount(given) {
  const count = Number(given);
  if (Number.isNaN(count)) return 0;
  if (count < 0) throw outOfRange('number', '>= 0', count);
  return count;
}

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

async function* filtered(source, work, options) {
  for await (const item of source) {
    checkAbort(options);
    if (await work(item, {})) yield item;
  }
}

async function* flattened(source, work, options) {
  for await (const item of mapped(source, work, options)) yield* item;
}

async function* taken(source, count) {
  if (count <= 0) return;
  for await (const item of source) {
    yield item;
    if (--count <= 0) return;
  }
}

async function* rest(source, count) {
  for await (const item of source) if (count-- <= 0) yield item;
}

async function* numbered(source) {
  let index = 0;
  for await (const item of source) yield [index++, item];
}

const streaming = {
  map(work, options) {
    validateWork(work);
    return mapped(this, work, options);
  },
  filter(work, options) {
    validateWork(work);
    return filtered(this, work, options);
  },
  flatMap(work, options) {
    validateWork(work);
    return flattened(this, work, options);
  },
  take(count) { return taken(this, validateCount(count)); },
  drop(count) { return rest(this, validateCount(count)); },
  asIndexedPairs() { return numbered(this); },
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
    validateWork(work);
    for await (const item of this) {
      checkAbort(options);
      await work(item, {});
    }
  },
  async some(work) {
    validateWork(work);
    for await (const item of this) if (await work(item, {})) return true;
    return false;
  },
  async every(work) {
    validateWork(work);
    for await (const item of this) if (!await work(item, {})) return false;
    return true;
  },
  async find(work) {
    validateWork(work);
    for await (const item of this) if (await work(item, {})) return item;
    return undefined;
  },
  async reduce(work, ...initial) {
    validateWork(work, 'reducer');
    let has = initial.length > 0;
    let [total] = initial;
    for await (const item of this) {
      total = has ? await work(total, item, {}) : item;
      has = true;
    }
    if (!has) {
      throw withCode(TypeError, 'ERR_MISSING_ARGS',
        'Reduce of an empty stream requires an initial value');
    }
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
