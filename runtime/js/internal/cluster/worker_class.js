'use strict';
// A worker, as both sides see it.
const EventEmitter = require('events');

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  EventEmitter.call(this);
  options = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = options.state || 'none';
  this.id = options.id | 0;
  if (!options.process) return;
  this.process = options.process;
  this.process.on('error', (code, signal) => this.emit('error', code, signal));
  this.process.on('message', (message, handle) => this.emit('message', message, handle));
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

Object.assign(Worker.prototype, {
  kill(...args) { this.destroy(...args); },
  send(...args) { return this.process.send(...args); },
  isDead() { return this.process.exitCode !== null || this.process.signalCode !== null; },
  isConnected() { return this.process.connected; },
});

module.exports = Worker;
