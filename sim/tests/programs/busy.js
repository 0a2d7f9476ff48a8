'use strict';
// Waits by looking at the clock, and by immediates.
const began = Date.now();
while (Date.now() - began < 2000);
console.log('looked', Date.now() - began >= 2000);
let left = 300000;
const due = Date.now() + 500;
(function again() {
  if (Date.now() < due && left-- > 0) setImmediate(again);
  else console.log('immediates end', left > 0);
})();
