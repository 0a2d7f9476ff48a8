'use strict';
// Stream, the oldest base: an emitter with pipe.
const EventEmitter = require('events');

// The names that streams of a kind have listeners for come first in eventNames().
const READABLE = ['data', 'end', 'readable'];
const WRITABLE = ['prefinish', 'finish', 'drain'];

function orderOf(stream) {
  return ['close', 'error', ...(stream._writableState ? WRITABLE : []),
    ...(stream._readableState ? READABLE : [])];
}

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

Stream.prototype.pipe = function pipe(target, options) {
  const source = this;
  let ended = false;
  const listeners = [];
  const listen = (emitter, name, listener) => {
    listeners.push([emitter, name, listener]);
    emitter.on(name, listener);
  };
  const stop = () => {
    for (const [emitter, name, listener] of listeners) emitter.removeListener(name, listener);
  };
  function onError(error) {
    stop();
    if (EventEmitter.prototype.listenerCount.call(this, 'error') === 0) this.emit('error', error);
  }
  listen(source, 'data', (chunk) => {
    if (target.writable && target.write(chunk) === false && source.pause) source.pause();
  });
  listen(target, 'drain', () => {
    if (source.readable && source.resume) source.resume();
  });
  if (!target._isStdio && (!options || options.end !== false)) {
    listen(source, 'end', () => {
      if (!ended) target.end();
      ended = true;
    });
    listen(source, 'close', () => {
      if (!ended && typeof target.destroy === 'function') target.destroy();
      ended = true;
    });
  }
  for (const emitter of [source, target]) {
    listeners.push([emitter, 'error', onError]);
    prependListener(emitter, 'error', onError);
  }
  listen(source, 'end', stop);
  listen(source, 'close', stop);
  listen(target, 'close', stop);
  target.emit('pipe', source);
  return target;
};

Stream.prototype.eventNames = function eventNames() {
  const names = Reflect.ownKeys(this._events).filter((name) => this._events[name] !== undefined);
  if (!this._readableState && !this._writableState) return names;
  const first = orderOf(this).filter((name) => names.includes(name));
  return [...first, ...names.filter((name) => !first.includes(name))];
};

// Puts a listener before those that the user has.
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') emitter.prependListener(event, listener);
  else emitter.on(event, listener);
}

module.exports = { Stream, prependListener };
