'use strict';
process.on('unhandledRejection', () => console.log('never: unhandled'));
const inTick = Promise.reject(new Error('in a tick'));
process.nextTick(() => inTick.catch((error) => console.log('caught', error.message)));
const inMicrotask = Promise.reject(new Error('in a microtask'));
queueMicrotask(() => inMicrotask.catch((error) => console.log('caught', error.message)));
const inDeep = Promise.reject(new Error('in a tick of a microtask'));
queueMicrotask(() => {
  process.nextTick(() => inDeep.catch((error) => console.log('caught', error.message)));
});
