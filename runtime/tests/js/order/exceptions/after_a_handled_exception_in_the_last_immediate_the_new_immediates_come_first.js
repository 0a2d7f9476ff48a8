'use strict';
process.on('uncaughtException', (error) => {
  console.log('handler', error.message);
  process.nextTick(() => console.log('tick of the handler', error.message));
  Promise.resolve().then(() => console.log('microtask of the handler', error.message));
  setImmediate(() => console.log('immediate of the handler', error.message));
});
setImmediate(() => {
  console.log('first');
  setImmediate(() => console.log('immediate of the first'));
  process.nextTick(() => console.log('tick of the first'));
});
setImmediate(() => {
  throw new Error('second');
});
const cleared = setImmediate(() => console.log('never'));
setImmediate(() => {
  clearImmediate(cleared);
  process.nextTick(() => console.log('tick of the last'));
  setImmediate(() => {
    console.log('immediate of the last');
    throw new Error('third');
  });
  throw new Error('last');
});
