'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter();
const log = (...words) => console.log(...words);
function first() {
  log('first');
  emitter.removeListener('event', second);
  emitter.on('event', late);
  emitter.prependListener('event', early);
}
function second() { log('second'); }
function late() { log('late'); }
function early() { log('early'); }
emitter.on('event', first);
emitter.on('event', second);
emitter.emit('event');
log('names', emitter.listeners('event').map(({ name }) => name).join());
emitter.emit('event');

emitter.removeAllListeners();
emitter.on('nested', () => {
  log('outer', emitter.listenerCount('nested'));
  if (emitter.listenerCount('nested') < 5) {
    emitter.once('nested', () => log('once'));
    emitter.emit('nested');
  }
});
emitter.on('nested', () => log('other'));
emitter.emit('nested');
log(emitter.rawListeners('nested').length);

emitter.removeAllListeners();
emitter.on('removed', () => {
  emitter.removeAllListeners('removed');
  log('removed', emitter.eventNames().length);
});
emitter.on('removed', () => log('still told'));
log(emitter.emit('removed'), emitter.emit('removed'));

for (const name of ['newListener', 'removeListener']) {
  emitter.on(name, (event, listener) => log(name, event, listener.name));
}
function once() {}
emitter.once('a', once);
emitter.on('a', second);
emitter.once(Symbol.iterator, once);
emitter.emit('a');
emitter.removeAllListeners('a');
emitter.removeAllListeners();
log(emitter._eventsCount, Object.keys(emitter._events).length);
