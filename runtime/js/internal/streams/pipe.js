'use strict';
// pipe and unpipe of Readable.

const { prependListener } = require('internal/streams/legacy');
const { errorOrDestroy } = require('internal/streams/destroy');

// One source and one target of it, and their listeners on each other.
class Pipe {
  #source;
  #target;
  #onDrain = null;
  #cleaned = false;

  constructor(source, target) {
    this.#source = source;
    this.#target = target;
  }

  start(options) {
    const source = this.#source;
    const target = this.#target;
    const doEnd = (!options || options.end !== false) && target !== process.stdout &&
      target !== process.stderr;
    const atEnd = doEnd ? this.#onSourceEnd : this.#unpipe;
    if (source._readableState.endEmitted) process.nextTick(atEnd);
    else source.once('end', atEnd);
    target.on('unpipe', this.#onUnpipe);
    source.on('data', this.#onData);
    prependListener(target, 'error', this.#onError);
    target.once('close', this.#onClose);
    target.once('finish', this.#onFinish);
    target.emit('pipe', source);
    if (target.writableNeedDrain === true) this.#wait();
    else if (!source._readableState.flowing) source.resume();
  }

  #onSourceEnd = () => { this.#target.end(); };

  #unpipe = () => { this.#source.unpipe(this.#target); };

  #onUnpipe = (readable, info) => {
    if (readable === this.#source && info && info.hasUnpiped === false) {
      info.hasUnpiped = true;
      this.#cleanup();
    }
  };

  #onData = (chunk) => {
    if (this.#target.write(chunk) === false) this.#wait();
  };

  #onError = (failure) => {
    const target = this.#target;
    this.#unpipe();
    target.removeListener('error', this.#onError);
    if (target.listenerCount('error') === 0) {
      const other = target._writableState || target._readableState;
      if (other && !other.errorEmitted) errorOrDestroy(target, failure);
      else target.emit('error', failure);
    }
  };

  #onClose = () => {
    this.#target.removeListener('finish', this.#onFinish);
    this.#unpipe();
  };

  #onFinish = () => {
    this.#target.removeListener('close', this.#onClose);
    this.#unpipe();
  };

  #wait() {
    const target = this.#target;
    const state = this.#source._readableState;
    if (!this.#cleaned) {
      if (state.pipes.length === 1 && state.pipes[0] === target) {
        state.awaitDrainWriters = target;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(target)) {
        state.awaitDrainWriters.add(target);
      }
      this.#source.pause();
    }
    if (!this.#onDrain) {
      this.#onDrain = drained(this.#source, target);
      target.on('drain', this.#onDrain);
    }
  }

  #cleanup() {
    const source = this.#source;
    const target = this.#target;
    target.removeListener('close', this.#onClose);
    target.removeListener('finish', this.#onFinish);
    if (this.#onDrain) target.removeListener('drain', this.#onDrain);
    target.removeListener('error', this.#onError);
    target.removeListener('unpipe', this.#onUnpipe);
    source.removeListener('end', this.#onSourceEnd);
    source.removeListener('end', this.#unpipe);
    source.removeListener('data', this.#onData);
    this.#cleaned = true;
    if (this.#onDrain && source._readableState.awaitDrainWriters &&
        (!target._writableState || target._writableState.needDrain)) this.#onDrain();
  }
}

function pipe(target, options) {
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(target);
  new Pipe(this, target).start(options);
  return target;
}

function drained(source, target) {
  return function onDrain() {
    const state = source._readableState;
    if (state.awaitDrainWriters === target) state.awaitDrainWriters = null;
    else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(target);
    if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) &&
        source.listenerCount('data')) source.resume();
  };
}

function unpipe(target) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (!target) {
    const targets = state.pipes;
    state.pipes = [];
    this.pause();
    for (const one of targets) one.emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const index = state.pipes.indexOf(target);
  if (index === -1) return this;
  state.pipes.splice(index, 1);
  if (state.pipes.length === 0) this.pause();
  target.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
