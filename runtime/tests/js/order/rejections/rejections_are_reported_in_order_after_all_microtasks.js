'use strict';
process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  process.nextTick(() => console.log('tick of', reason));
  Promise.resolve().then(() => console.log('microtask of', reason));
});
Promise.reject(1);
Promise.reject(2);
Promise.resolve()
  .then(() => console.log('turn 1'))
  .then(() => console.log('turn 2'))
  .then(() => Promise.reject(3));
process.nextTick(() => Promise.reject(4));
