'use strict';
let count = 0;
setTimeout(() => console.log('timeout after', count), 0);
(function again() {
  if (++count < 10000) process.nextTick(again);
  else console.log('ticks done');
})();
