'use strict';
// Node's binding signal_wrap: a handle that tells of one signal.

const ids = require('internal/async/ids');
const EINVAL = -22;

function check(value) {
  if (!(value instanceof Signal)) throw new TypeError('Illegal invocation');
  return value;
}

class Signal {
  #name;
  #listener = (name, number) => this.onsignal?.(number);

  start(number) {
    check(this).stop();
    const { signals } = require('os').constants;
    const name = Object.keys(signals).find((one) => signals[one] === number);
    if (name === undefined || name === 'SIGKILL' || name === 'SIGSTOP') return EINVAL;
    this.#name = name;
    process.on(name, this.#listener);
    return 0;
  }

  stop() {
    check(this);
    if (this.#name !== undefined) process.removeListener(this.#name, this.#listener);
    this.#name = undefined;
    return 0;
  }

  close(callback) {
    check(this).stop();
    if (typeof callback === 'function') setImmediate(callback);
  }

  ref() {}

  unref() {}

  hasRef() { return this.#name !== undefined; }

  getAsyncId() { return ids.workOf(this).id; }
}

module.exports = { Signal };
