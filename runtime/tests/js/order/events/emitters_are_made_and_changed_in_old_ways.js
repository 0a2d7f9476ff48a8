'use strict';
const EventEmitter = require('events');
const util = require('util');

function Old() { EventEmitter.call(this); }
util.inherits(Old, EventEmitter);
function Lazy() {}
Object.setPrototypeOf(Lazy.prototype, EventEmitter.prototype);
class Own extends EventEmitter {
  on(name, listener) { console.log('on', name); return super.on(name, listener); }
  emit(name, ...args) { console.log('emit', String(name)); return super.emit(name, ...args); }
  removeListener(...args) { console.log('remove', args[0]); return super.removeListener(...args); }
}
for (const Class of [Old, Lazy, Own]) {
  const emitter = new Class();
  emitter.on('a', function listener(...args) { console.log(this === emitter, args); });
  emitter.once('a', () => console.log('once'));
  console.log(emitter.emit('a', 1, 2), emitter.emit('a'), emitter.emit('b'));
  console.log(emitter._eventsCount, Object.keys(emitter._events), typeof emitter._events.a);
  emitter._events = undefined;
  console.log(emitter.emit('a'), emitter.listeners('a'));
  emitter.on('c', () => {});
  emitter._events.c = [() => console.log('put there'),
    () => console.log('and there')];
  console.log(emitter.emit('c'), emitter.listenerCount('c'));
}
const [one, other] = [new EventEmitter(), new EventEmitter()];
for (const [value, ...more] of [[new TypeError('given')], ['text'], [{ a: 1 }], [], [null]]) {
  try {
    one.emit('error', value, ...more);
  } catch (error) {
    console.log(error.code, error.message, error.context);
  }
}
one.on(EventEmitter.errorMonitor, (error) => console.log('monitor', error.message));
try {
  one.emit('error', new Error('seen'));
} catch (error) {
  console.log('thrown', error.message);
}
one.on('error', (error) => console.log('handled', error.message));
one.emit('error', new Error('seen again'));
for (const listener of [undefined, null, 'text', {}]) {
  for (const method of ['on', 'once', 'prependListener', 'removeListener']) {
    try {
      other[method]('a', listener);
    } catch (error) {
      console.log(method, error.code, error.message);
    }
  }
}
for (const limit of [-1, NaN, '1', null]) {
  try {
    other.setMaxListeners(limit);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
process.on('warning', ({ name, count, type }) => console.log(name, count, String(type)));
other.setMaxListeners(1);
for (let i = 0; i < 4; i++) other.on(null, () => {});
console.log(other._events.null.warned, other.getMaxListeners());
