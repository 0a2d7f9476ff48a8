// A callback computes for 100 ms. What becomes of timers, and of a request that is done meanwhile?
'use strict';
const fs = require('fs');

const begin = performance.now();
const now = () => performance.now() - begin;

setTimeout(function compute() {
  fs.stat(__filename, function onStat() { answered = now(); });
  const end = performance.now() + 100;
  while (performance.now() < end);
  console.log('compute: 100 ms are over');
}, 5);

for (const delay of [10, 20, 30]) {
  setTimeout(function timer() {
    console.log(`timer of ${delay} ms: at least ${100 - delay} ms late:`, now() >= 100);
  }, delay);
}

let answered;
process.on('exit', function onExit() {
  console.log('stat: its answer came after the computation:', answered >= 100);
});
