'use strict';
process.on('uncaughtExceptionMonitor', (error, origin) => {
  console.log('monitor', error.message, origin);
});
process.once('uncaughtException', (error) => console.log('handler', error.message));
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => {
  throw new Error('first');
}, 1);
setTimeout(() => {
  throw new Error('second');
}, 10);
