'use strict';
setTimeout(() => console.log('too large'), 2147483648);
const kept = setTimeout(() => console.log('never'), 2147483647);
setTimeout(() => {
  console.log('second');
  clearTimeout(kept);
}, 5);
