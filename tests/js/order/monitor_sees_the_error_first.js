'use strict';
process.on('uncaughtExceptionMonitor', (error, origin) =>
  console.log('monitor', error.message, origin));
process.on('uncaughtException', (error) => console.log('handler', error.message));
setTimeout(() => {
  throw new Error('x');
}, 1);
