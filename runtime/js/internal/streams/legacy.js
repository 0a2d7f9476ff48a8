'use strict';
// Stream, the oldest base: an emitter with pipe.
const EventEmitter = require('events');

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function pipe(target, options) {
  const source = this;
  function onData(chunk) {
    if (target.writable && target.write(chunk) === false && source.pause) source.pause();
  }
  function onDrain() {
    if (source.readable && source.resume) source.resume();
  }
  let ended = false;
  function onEnd() {
    if (!ended) target.end();
    ended = true;
  }
  function onClose() {
    if (!ended && typeof target.destroy === 'function') target.destroy();
    ended = true;
  }
  source.on('data', onData);
  target.on('drain', onDrain);
  if (!target._isStdio && (!options || options.end !== false)) {
    source.on('end', onEnd);
    source.on('close', onClose);
  }
  target.emit('pipe', source);
  return target;
};

Stream.prototype.eventNames = function eventNames() {
  return Reflect.ownKeys(this._events).filter((name) => this._events[name] !== undefined);
};

// Puts a listener before those that the user has.
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') emitter.prependListener(event, listener);
  else emitter.on(event, listener);
}

module.exports = { Stream, prependListener };
