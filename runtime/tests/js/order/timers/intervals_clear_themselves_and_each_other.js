'use strict';
let count = 0;
const first = setInterval(() => {
  console.log('first', ++count);
  if (count === 3) {
    clearInterval(first);
    clearInterval(second);
  }
}, 5);
const second = setInterval(() => console.log('second'), 5);
process.on('exit', () => console.log('exit'));
