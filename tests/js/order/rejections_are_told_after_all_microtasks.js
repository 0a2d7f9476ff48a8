'use strict';
process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  process.nextTick(() => console.log('tick of', reason));
  Promise.resolve().then(() => console.log('promise of', reason));
});
Promise.reject(1);
Promise.reject(2);
Promise.resolve().then(() => console.log('p1')).then(() => console.log('p2'));
process.nextTick(() => console.log('t1'));
