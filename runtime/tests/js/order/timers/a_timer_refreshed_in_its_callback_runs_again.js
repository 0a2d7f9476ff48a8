'use strict';
let runs = 0;
const timer = setTimeout(() => {
  console.log('run', ++runs);
  if (runs < 3) {
    timer.refresh();
  }
}, 2);
const cleared = setTimeout(() => console.log('cleared'), 2);
clearTimeout(cleared);
cleared.refresh();
process.on('exit', () => console.log('exit'));
