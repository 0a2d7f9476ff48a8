'use strict';
// Heap snapshots: where they go, and when they are taken. The file is made in C.

const native = binding('heap');
const { withCode } = require('internal/errors/errors');
const { validateBoolean, validateObject, validateUint32 } = require('internal/errors/validators');

let counter = 0;

// {exposeInternals, exposeNumericValues}; there are no internals that V8 would know.
function checkOptions(options = {}) {
  validateObject(options, 'options');
  const { exposeInternals = false, exposeNumericValues = false } = options;
  validateBoolean(exposeInternals, 'options.exposeInternals');
  validateBoolean(exposeNumericValues, 'options.exposeNumericValues');
  return { exposeInternals, exposeNumericValues };
}

function take({ exposeNumericValues }) {
  const bytes = native.take(exposeNumericValues);
  if (bytes !== undefined) return bytes;
  throw withCode(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM',
    'Heap snapshots are not available: this engine does not show its objects');
}

// Heap.YYYYMMDD.HHMMSS.PID.THREAD.COUNT.heapsnapshot
function nameOf(kind, extension) {
  const now = new Date();
  const digits = (value, length = 2) => String(value).padStart(length, '0');
  const day = `${now.getFullYear()}${digits(now.getMonth() + 1)}${digits(now.getDate())}`;
  const time = digits(now.getHours()) + digits(now.getMinutes()) + digits(now.getSeconds());
  const { threadId } = require('worker_threads');
  return `${kind}.${day}.${time}.${process.pid}.${threadId}.${digits(++counter, 3)}.${extension}`;
}

function folder() {
  return process.execArgv.length > 0 || process.env.NODE_OPTIONS
    ? require('internal/boot/options').last('diagnostic-dir') : undefined;
}

function write(filename, options) {
  if (filename !== undefined) filename = require('internal/fs/util').toPath(filename);
  const checked = checkOptions(options);
  const name = filename ?? require('path').join(folder() ?? '', nameOf('Heap', 'heapsnapshot'));
  const fs = require('fs');
  const fd = fs.openSync(name, 'w');
  try {
    fs.writeFileSync(fd, take(checked));
  } finally {
    fs.closeSync(fd);
  }
  return typeof name === 'string' ? name : Buffer.from(name).toString();
}

function streamOf(bytes) {
  const { Readable } = require('stream');
  class HeapSnapshotStream extends Readable {
    _read() {
      if (bytes !== undefined) this.push(bytes);
      bytes = undefined;
      this.push(null);
    }
  }
  const made = new HeapSnapshotStream();
  made.read(0);
  return made;
}

function get(options) {
  return streamOf(take(checkOptions(options)));
}

// --heapsnapshot-signal
function onSignal(signal) {
  process.on(signal, () => write());
}

let nearLimit = 0; // how many are to be taken before memory runs out

function setNearLimit(limit) {
  validateUint32(limit, 'limit', true);
  if (nearLimit === 0) nearLimit = limit;
}

// Memory has run out; one is taken of what is there.
function onLimit() {
  if (nearLimit === 0) return;
  nearLimit = 0;
  try {
    process._rawDebug(`Wrote snapshot to ${write()}`);
  } catch {
    // The end is told either way.
  }
}

module.exports = { checkOptions, take, write, get, streamOf, nameOf, onSignal, setNearLimit,
  onLimit };
