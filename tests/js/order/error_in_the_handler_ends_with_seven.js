'use strict';
process.on('uncaughtException', () => {
  console.log('handler');
  throw new Error('second');
});
setTimeout(() => console.log('never'), 10);
throw new Error('first');
