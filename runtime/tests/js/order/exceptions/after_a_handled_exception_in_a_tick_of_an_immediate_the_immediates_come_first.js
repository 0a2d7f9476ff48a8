'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
setImmediate(() => {
  process.nextTick(() => {
    throw new Error('first tick');
  });
  process.nextTick(() => console.log('second tick'));
  Promise.resolve().then(() => console.log('microtask'));
  process.nextTick(() => {
    throw new Error('third tick');
  });
});
setImmediate(() => console.log('second immediate'));
