'use strict';
process.nextTick(() => {
  console.log('tick 1');
  queueMicrotask(() => {
    console.log('microtask 1');
    process.nextTick(() => console.log('tick 3'));
  });
});
process.nextTick(() => {
  console.log('tick 2');
  queueMicrotask(() => console.log('microtask 2'));
});
