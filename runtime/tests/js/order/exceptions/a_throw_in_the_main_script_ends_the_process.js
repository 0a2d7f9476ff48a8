'use strict';
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => console.log('never: tick'));
Promise.resolve().then(() => console.log('never: microtask'));
setTimeout(() => console.log('never: timeout'), 1);
console.log('before');
throw new TypeError('in the main script');
