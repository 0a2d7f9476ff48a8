'use strict';
Promise.resolve().then(() => {
  console.log('microtask 1');
  process.nextTick(() => console.log('tick'));
  queueMicrotask(() => console.log('microtask 3'));
}).then(() => console.log('microtask 4'));
queueMicrotask(() => console.log('microtask 2'));
