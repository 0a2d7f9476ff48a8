'use strict';
process.on('exit', (code) => console.log('exit', code));
process.on('uncaughtException', (error) => {
  console.log('handler', error.message);
  throw new Error('second');
});
setTimeout(() => console.log('never: timeout'), 5);
throw new Error('first');
