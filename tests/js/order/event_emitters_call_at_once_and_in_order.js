'use strict';
const EventEmitter = require('events');
const emitter = new EventEmitter();
emitter.on('x', () => console.log(2));
emitter.prependListener('x', () => console.log(1));
emitter.once('x', () => console.log(3));
emitter.on('newListener', (name) => console.log('new', name));
emitter.on('x', () => emitter.removeAllListeners('x'));
console.log(emitter.emit('x'), emitter.emit('x'));
try {
  emitter.emit('error', new Error('none listens'));
} catch (error) {
  console.log(error.message);
}
EventEmitter.once(emitter, 'y').then((args) => console.log('once', args));
emitter.emit('y', 1, 2);
console.log('main');
