'use strict';
let times = 0;
process.on('beforeExit', (code) => {
  console.log('beforeExit', code, ++times);
  if (times < 3) setTimeout(() => console.log('more', times), 1);
});
process.on('exit', (code) => console.log('exit', code));
