'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter({ captureRejections: true });
emitter.on('error', (error) => console.log('error', error.message));
emitter.on('work', async (value) => {
  console.log('work', value);
  await null;
  throw new Error(`failed ${value}`);
});
emitter.emit('work', 1);
emitter.emit('work', 2);
console.log('main');
process.nextTick(() => console.log('tick'));
