'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
setImmediate(() => console.log('1'));
setImmediate(() => {
  throw new Error('2');
});
setImmediate(() => console.log('3'));
