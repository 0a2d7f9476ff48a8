'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => {
  Promise.reject(new Error('in a timer'));
  process.nextTick(() => console.log('tick'));
}, 1);
setTimeout(() => console.log('never: second timer'), 1);
