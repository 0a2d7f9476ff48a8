'use strict';
Promise.resolve().then(() => console.log('promise 1'));
process.nextTick(() => console.log('tick 1'));
setTimeout(() => {
  process.nextTick(() => console.log('tick 2'));
  Promise.resolve().then(() => console.log('promise 2'));
}, 1);
setTimeout(() => {
  Promise.resolve().then(() => console.log('promise 3'));
  process.nextTick(() => console.log('tick 3'));
}, 5);
