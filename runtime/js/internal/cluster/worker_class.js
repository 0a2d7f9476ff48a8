'use strict';
// A worker, as both sides see it. disconnect() and destroy() differ: each side adds its own.
const EventEmitter = require('events');

// Called with or without new, as programs do both.
function Worker(options) {
  if (new.target === undefined) return new Worker(options);
  EventEmitter.call(this);
  const { state, id, process: child } = Object(options);
  Object.assign(this, { exitedAfterDisconnect: undefined, state: state || 'none', id: id | 0 });
  if (!child) return;
  this.process = child;
  for (const event of ['error', 'message']) {
    child.on(event, (...details) => this.emit(event, ...details));
  }
}

Object.setPrototypeOf(Worker, EventEmitter);
Worker.prototype = Object.create(EventEmitter.prototype, {
  constructor: { value: Worker, writable: true, configurable: true, enumerable: false },
});

const methods = {
  kill(...signal) { return this.destroy(...signal); },
  send(...message) { return this.process.send(...message); },
  isDead() { return (this.process.exitCode ?? this.process.signalCode ?? null) !== null; },
  isConnected() { return this.process.connected; },
};
Object.assign(Worker.prototype, methods);

module.exports = Worker;
