'use strict';
setImmediate(() => {
  console.log('1');
  setImmediate(() => console.log('1.1'));
});
setImmediate(() => {
  console.log('2');
  setImmediate(() => console.log('2.1'));
});
