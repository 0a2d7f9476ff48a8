'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter();
emitter.on('work', () => console.log('first'));
emitter.on('work', () => {
  throw new Error('in a listener');
});
emitter.on('work', () => console.log('never: third'));
try {
  emitter.emit('work');
} catch (error) {
  console.log('caught', error.message);
}
