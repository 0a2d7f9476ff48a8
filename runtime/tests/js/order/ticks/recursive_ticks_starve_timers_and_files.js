'use strict';
const fs = require('fs');
const until = Date.now() + 30;
const seen = [];

// The three are independent of each other, and all of them come after the ticks.
setTimeout(() => seen.push('timeout'), 1);
setImmediate(() => seen.push('immediate'));
fs.stat(__filename, () => seen.push('stat'));
process.nextTick(function again(ticks) {
  if (ticks < 10000 || Date.now() < until) {
    process.nextTick(again, ticks + 1);
  } else {
    console.log('last tick', seen.length);
  }
}, 1);
process.on('exit', () => console.log(seen.sort().join()));
