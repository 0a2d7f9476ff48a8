'use strict';
process.on('unhandledRejection', (reason, promise) =>
  console.log('unhandled', reason, promise instanceof Promise));
Promise.reject('a');
setTimeout(() => Promise.reject('b'), 1);
(async () => {
  await null;
  throw 'c';
})();
process.nextTick(() => console.log('tick'));
