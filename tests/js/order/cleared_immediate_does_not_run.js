'use strict';
let second;
setImmediate(() => {
  console.log('first');
  clearImmediate(second);
});
second = setImmediate(() => console.log('second'));
setImmediate(() => console.log('third'));
const dropped = setImmediate(() => console.log('dropped'));
clearImmediate(dropped);
