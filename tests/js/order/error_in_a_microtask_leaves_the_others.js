'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
queueMicrotask(() => console.log('1'));
queueMicrotask(() => {
  throw new Error('2');
});
queueMicrotask(() => console.log('3'));
