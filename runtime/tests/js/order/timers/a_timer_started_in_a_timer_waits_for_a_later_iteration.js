'use strict';
setTimeout(() => {
  console.log('first');
  setTimeout(() => console.log('nested'), 200);
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
}, 1);
