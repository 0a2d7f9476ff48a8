'use strict';
queueMicrotask(() => console.log('q1'));
Promise.resolve().then(() => console.log('p1'));
queueMicrotask(() => {
  console.log('q2');
  queueMicrotask(() => console.log('q3'));
  process.nextTick(() => console.log('tick'));
});
Promise.resolve().then(() => console.log('p2'));
