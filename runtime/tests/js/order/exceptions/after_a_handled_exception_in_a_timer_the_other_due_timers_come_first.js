'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
setTimeout(() => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  throw new Error('timer');
}, 1);
setTimeout(() => console.log('second timer'), 1);
const until = Date.now() + 10;
while (Date.now() < until) {}
