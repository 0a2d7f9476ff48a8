'use strict';
// The standard streams of a worker: both ends talk through the port between it and its parent.

const { Readable, Writable } = require('stream');

const counts = new WeakMap(); // how many streams hold each port

function hold(port, change) {
  const before = counts.get(port) ?? 0;
  counts.set(port, before + change);
  if (before === 0) port.ref();
  else if (before + change === 0) port.unref();
}

// Holds the thread only while someone reads it, if it is to hold it at all.
class ReadableStdio extends Readable {
  #port;
  #name;
  #holds;
  #isStarted = false;

  constructor(port, name, holds) {
    super();
    this.#port = port;
    this.#name = name;
    this.#holds = holds;
    this.on('end', () => { if (this.#isStarted) hold(this.#port, -1); });
  }

  _read() {
    if (!this.#isStarted && this.#holds) {
      this.#isStarted = true;
      hold(this.#port, 1);
    }
    this.#port.postMessage({ kind: 'wants', stream: this.#name });
  }

  // What the other side has written; null is its end.
  take(chunks) {
    for (const { chunk, encoding } of chunks) this.push(chunk, encoding);
  }
}

class WritableStdio extends Writable {
  #port;
  #name;
  #callbacks = [];

  constructor(port, name) {
    super({ decodeStrings: false });
    this.#port = port;
    this.#name = name;
  }

  _writev(list, callback) {
    const chunks = list.map(({ chunk, encoding }) => ({ chunk, encoding }));
    this.#port.postMessage({ kind: 'stdio', stream: this.#name, chunks });
    if (process._exiting) {
      callback();
      return;
    }
    this.#callbacks.push(callback);
    if (this.#callbacks.length === 1) hold(this.#port, 1);
  }

  _final(callback) {
    this.#port.postMessage({ kind: 'stdio', stream: this.#name,
      chunks: [{ chunk: null, encoding: '' }] });
    callback();
  }

  // The other side wants more.
  goOn() {
    const callbacks = this.#callbacks;
    this.#callbacks = [];
    if (callbacks.length > 0) hold(this.#port, -1);
    for (const callback of callbacks) callback();
  }
}

module.exports = { ReadableStdio, WritableStdio };
