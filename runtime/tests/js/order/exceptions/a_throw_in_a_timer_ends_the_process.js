'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('before'), 1);
setTimeout(() => {
  process.nextTick(() => console.log('never: tick'));
  throw new Error('in a timer');
}, 1);
setTimeout(() => console.log('never: after'), 1);
