'use strict';
setTimeout(() => {
  console.log('first');
  process.nextTick(() => clearTimeout(second));
  Promise.resolve().then(() => clearTimeout(third));
}, 5);
const second = setTimeout(() => console.log('second'), 5);
const third = setTimeout(() => console.log('third'), 5);
setTimeout(() => console.log('fourth'), 5);
