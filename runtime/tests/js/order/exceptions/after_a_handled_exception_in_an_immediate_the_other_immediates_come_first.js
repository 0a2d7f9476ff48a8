'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
setImmediate(() => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  setImmediate(() => console.log('later immediate'));
  throw new Error('immediate');
});
setImmediate(() => console.log('second immediate'));
