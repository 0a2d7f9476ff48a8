'use strict';
process.on('uncaughtException', () => console.log('never: event'));
console.log(process.hasUncaughtExceptionCaptureCallback());
process.setUncaughtExceptionCaptureCallback((error) => console.log('captured', error.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
process.nextTick(() => {
  throw new Error('tick');
});
setImmediate(() => console.log('immediate'));
throw new Error('main');
