'use strict';
let bar;
function later(callback) {
  process.nextTick(callback);
}
later(() => console.log('bar', bar));
bar = 1;
