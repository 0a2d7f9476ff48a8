// compare: stdout
'use strict';
const EventEmitter = require('events');

const emitter = new EventEmitter();
process.on('exit', (code) => console.log('exit', code));
try {
  emitter.emit('error', new Error('caught here'));
} catch (error) {
  console.log(error.message);
}
try {
  emitter.emit('error', 'text');
} catch (error) {
  console.log(error.code, error.message);
}
process.nextTick(() => emitter.emit('error', new Error('not caught')));
process.nextTick(() => console.log('never: tick'));
