'use strict';
const before = setImmediate(() => console.log('before'));
clearImmediate(before);
setImmediate(() => {
  console.log('first');
  clearImmediate(second);
  process.nextTick(() => clearImmediate(third));
});
const second = setImmediate(() => console.log('second'));
const third = setImmediate(() => console.log('third'));
const fourth = setImmediate(() => {
  console.log('fourth');
  clearImmediate(fourth);
});
