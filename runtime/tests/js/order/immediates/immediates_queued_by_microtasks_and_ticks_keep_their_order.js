'use strict';
setImmediate(() => console.log('immediate of main'));
process.nextTick(() => setImmediate(() => console.log('immediate of a tick')));
Promise.resolve().then(() => setImmediate(() => console.log('immediate of a microtask')));
process.nextTick(() => {
  Promise.resolve().then(() => {
    process.nextTick(() => setImmediate(() => console.log('immediate of a deep tick')));
  });
});
