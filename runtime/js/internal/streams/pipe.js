'use strict';
// pipe and unpipe of Readable.

const { prependListener } = require('internal/streams/legacy');
const { errorOrDestroy } = require('internal/streams/destroy');

function pipe(target, options) {
  const source = this;
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(target);
  const doEnd = (!options || options.end !== false) && target !== process.stdout &&
    target !== process.stderr;
  const atEnd = doEnd ? onSourceEnd : unpipe;
  if (state.endEmitted) process.nextTick(atEnd);
  else source.once('end', atEnd);

  target.on('unpipe', onUnpipe);
  function onUnpipe(readable, info) {
    if (readable === source && info && info.hasUnpiped === false) {
      info.hasUnpiped = true;
      cleanup();
    }
  }
  function onSourceEnd() {
    target.end();
  }
  let onDrain;
  let cleaned = false;
  function cleanup() {
    target.removeListener('close', onClose);
    target.removeListener('finish', onFinish);
    if (onDrain) target.removeListener('drain', onDrain);
    target.removeListener('error', onError);
    target.removeListener('unpipe', onUnpipe);
    source.removeListener('end', onSourceEnd);
    source.removeListener('end', unpipe);
    source.removeListener('data', onData);
    cleaned = true;
    if (onDrain && state.awaitDrainWriters &&
        (!target._writableState || target._writableState.needDrain)) onDrain();
  }
  function wait() {
    if (!cleaned) {
      if (state.pipes.length === 1 && state.pipes[0] === target) {
        state.awaitDrainWriters = target;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(target)) {
        state.awaitDrainWriters.add(target);
      }
      source.pause();
    }
    if (!onDrain) {
      onDrain = drained(source, target);
      target.on('drain', onDrain);
    }
  }
  source.on('data', onData);
  function onData(chunk) {
    if (target.write(chunk) === false) wait();
  }
  function onError(failure) {
    unpipe();
    target.removeListener('error', onError);
    if (target.listenerCount('error') === 0) {
      const other = target._writableState || target._readableState;
      if (other && !other.errorEmitted) errorOrDestroy(target, failure);
      else target.emit('error', failure);
    }
  }
  prependListener(target, 'error', onError);
  function onClose() {
    target.removeListener('finish', onFinish);
    unpipe();
  }
  target.once('close', onClose);
  function onFinish() {
    target.removeListener('close', onClose);
    unpipe();
  }
  target.once('finish', onFinish);
  function unpipe() {
    source.unpipe(target);
  }
  target.emit('pipe', source);
  if (target.writableNeedDrain === true) wait();
  else if (!state.flowing) source.resume();
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
