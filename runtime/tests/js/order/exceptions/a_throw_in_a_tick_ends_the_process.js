'use strict';
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => console.log('tick before'));
process.nextTick(() => {
  throw new Error('in a tick');
});
process.nextTick(() => console.log('never: tick after'));
Promise.resolve().then(() => console.log('never: microtask'));
