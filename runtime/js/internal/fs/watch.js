'use strict';
const EventEmitter = require('events');
const native = binding('watch');
const fs = require('fs');
const { toPath, toTextPath, toOptions, encodeName, toStats } = require('internal/fs/util');
const { AbortError, invalidArgType } = require('internal/errors/errors');
const { validateAbortSignal, validateBoolean, validateObject } =
  require('internal/errors/validators');

class FSWatcher extends EventEmitter {
  #handle = null;
  #isRecursive = false;

  _start(name, options) {
    this.#isRecursive = Boolean(options.recursive);
    const handle = native.watch(name, this.#isRecursive);
    if (typeof handle === 'number') {
      const error = binding('process').uvError(handle, 'watch', name);
      error.filename = name;
      throw error;
    }
    this.#handle = handle;
    if (options.persistent === false) native.unref(handle);
    handle.onchange = (status, type, file) => {
      if (status < 0) {
        this.close();
        this.emit('error', binding('process').uvError(status, 'watch', name));
        return;
      }
      this.emit('change', type, file === null ? null : encodeName(file, options.encoding));
    };
  }

  close() {
    if (this.#handle === null) return;
    native.close(this.#handle, undefined);
    this.#handle = null;
    // Node's watcher of a whole tree tells at once.
    if (this.#isRecursive) this.emit('close');
    else process.nextTick(() => this.emit('close'));
  }

  ref() { if (this.#handle) native.ref(this.#handle); return this; }

  unref() { if (this.#handle) native.unref(this.#handle); return this; }
}

function watch(name, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = {};
  }
  options = typeof options === 'string' ? { encoding: options } : { ...options };
  toOptions(options, {});
  if (options.persistent !== undefined) validateBoolean(options.persistent, 'options.persistent');
  if (options.recursive !== undefined) validateBoolean(options.recursive, 'options.recursive');
  const watcher = new FSWatcher();
  watcher._start(toPath(name), options);
  if (listener) watcher.on('change', listener);
  if (options.signal) {
    const stop = () => watcher.close();
    if (options.signal.aborted) process.nextTick(stop);
    else options.signal.addEventListener('abort', stop, { once: true });
  }
  return watcher;
}

async function* watchIterator(name, options = {}) {
  toPath(name);
  validateObject(options, 'options');
  validateAbortSignal(options.signal, 'options.signal');
  const watcher = watch(name, options);
  const { signal } = options;
  const waiting = [];
  let wake;
  watcher.on('change', (eventType, filename) => {
    waiting.push({ eventType, filename });
    if (wake) wake();
  });
  if (signal) signal.addEventListener('abort', () => { if (wake) wake(); }, { once: true });
  try {
    for (;;) {
      if (signal && signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      if (waiting.length > 0) yield waiting.shift();
      else await new Promise((resolve) => { wake = resolve; });
    }
  } finally {
    watcher.close();
  }
}

const watched = new Map();

class StatWatcher extends EventEmitter {
  constructor(name, interval, persistent, bigint) {
    super();
    this.handle = native.poll(name, interval);
    if (typeof this.handle === 'number')
      throw binding('process').uvError(this.handle, 'watchFile', name);
    if (!persistent) native.unref(this.handle);
    const look = () =>
      fs.statSync(name, { throwIfNoEntry: false, bigint }) ??
        toStats(new Array(18).fill(0), { bigint });
    let before = look();
    this.handle.onchange = () => {
      const now = look();
      this.emit('change', now, before);
      before = now;
    };
  }

  close() {
    if (this.handle === null) return;
    native.close(this.handle, undefined);
    this.handle = null;
  }

  stop() {
    if (this.handle === null) return;
    this.close();
    process.nextTick(() => this.emit('stop'));
  }

  ref() { if (this.handle) native.ref(this.handle); return this; }

  unref() { if (this.handle) native.unref(this.handle); return this; }
}

function watchFile(name, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = {};
  }
  if (typeof listener !== 'function') throw invalidArgType('listener', 'function', listener);
  const path = require('path').resolve(toTextPath(name));
  if (!watched.has(path)) {
    watched.set(
      path,
      new StatWatcher(path, options.interval ?? 5007, options.persistent !== false,
        Boolean(options.bigint))
    );
  }
  return watched.get(path).on('change', listener);
}

function unwatchFile(name, listener) {
  const path = require('path').resolve(toTextPath(name));
  const watcher = watched.get(path);
  if (!watcher) return;
  if (listener) watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    watched.delete(path);
  }
}

module.exports = { watch, watchFile, unwatchFile, watchIterator, FSWatcher, StatWatcher };
