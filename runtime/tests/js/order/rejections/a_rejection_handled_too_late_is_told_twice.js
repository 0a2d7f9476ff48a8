'use strict';
process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
process.on('rejectionHandled', (promise) => console.log('handled', promise === late));
const late = Promise.reject('reason');
setImmediate(() => {
  console.log('immediate');
  late.catch((reason) => console.log('caught', reason));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('next immediate'));
});
