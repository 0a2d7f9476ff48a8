'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter();
emitter.on('newListener', (name) => console.log('new', name));
emitter.on('removeListener', (name) => console.log('removed', name));
emitter.on('go', () => console.log('first'));
emitter.once('go', () => console.log('once'));
emitter.prependListener('go', () => console.log('prepended'));
emitter.on('go', function remover() {
  console.log('remover');
  emitter.off('go', remover);
  emitter.off('go', last);
  emitter.on('go', () => console.log('added'));
});
function last() {
  console.log('last');
}
emitter.on('go', last);
console.log(emitter.emit('go'));
console.log('again');
console.log(emitter.emit('go'), emitter.emit('nothing'));
