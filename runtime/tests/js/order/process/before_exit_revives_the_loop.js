'use strict';
let rounds = 0;
process.on('beforeExit', (code) => {
  console.log('beforeExit', code, ++rounds);
  if (rounds === 1) {
    setTimeout(() => console.log('timeout'), 1);
  } else if (rounds === 2) {
    setImmediate(() => console.log('immediate'));
  } else {
    process.nextTick(() => console.log('a tick does not revive'));
    Promise.resolve().then(() => console.log('nor does a microtask'));
  }
});
process.on('exit', (code) => console.log('exit', code));
console.log('main');
