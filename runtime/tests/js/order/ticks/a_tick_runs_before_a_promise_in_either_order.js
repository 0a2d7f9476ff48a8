'use strict';
process.nextTick(() => console.log('tick 1'));
Promise.resolve().then(() => console.log('promise 1'));
Promise.resolve().then(() => console.log('promise 2'));
process.nextTick(() => console.log('tick 2'));
setImmediate(() => {
  Promise.resolve().then(() => console.log('promise 3'));
  process.nextTick(() => console.log('tick 3'));
});
