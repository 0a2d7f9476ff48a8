'use strict';
Promise.resolve().then(() => console.log('microtask'));
process.nextTick(() => {
  console.log('tick 1');
  process.nextTick(() => {
    console.log('tick 3');
    process.nextTick(() => console.log('tick 4'));
  });
});
process.nextTick(() => console.log('tick 2'));
