'use strict';
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    process.nextTick(() => console.log('tick', i));
    queueMicrotask(() => console.log('microtask', i));
  });
}
