'use strict';
process.on('exit', (code) => console.log('exit', code));
queueMicrotask(() => console.log('before'));
queueMicrotask(() => {
  throw new RangeError('in a microtask');
});
setImmediate(() => console.log('never: immediate'));
