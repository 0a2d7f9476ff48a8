'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
setTimeout(() => console.log('1'), 2);
setTimeout(() => {
  process.nextTick(() => console.log('tick of 2'));
  throw new Error('2');
}, 2);
setTimeout(() => console.log('3'), 2);
