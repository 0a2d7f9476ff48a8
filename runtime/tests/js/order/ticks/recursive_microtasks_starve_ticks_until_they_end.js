'use strict';
let count = 0;
queueMicrotask(function again() {
  if (count === 0) {
    process.nextTick(() => console.log('tick after', count));
  }
  if (++count < 1000) {
    queueMicrotask(again);
  }
});
setImmediate(() => console.log('immediate'));
