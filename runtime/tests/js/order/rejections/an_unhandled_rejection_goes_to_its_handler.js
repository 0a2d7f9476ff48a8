'use strict';
const first = Promise.reject(new Error('first'));
process.on('unhandledRejection', (reason, promise) => {
  console.log('unhandled', reason.message, promise === first);
});
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => {
  console.log('microtask');
  Promise.reject(new Error('second'));
});
setImmediate(() => {
  Promise.reject(new Error('third'));
  process.nextTick(() => console.log('tick of the immediate'));
  Promise.resolve().then(() => console.log('microtask of the immediate'));
});
setImmediate(() => console.log('second immediate'));
process.on('exit', (code) => console.log('exit', code));
