'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
setImmediate(() => {
  queueMicrotask(() => {
    process.nextTick(() => console.log('tick'));
    throw new Error('first');
  });
  queueMicrotask(() => console.log('second'));
  queueMicrotask(() => {
    throw new Error('third');
  });
  Promise.resolve().then(() => console.log('fourth'));
});
setImmediate(() => console.log('second immediate'));
