'use strict';
setTimeout(() => {
  console.log('first');
  clearTimeout(second);
  clearTimeout(fourth);
}, 5);
const second = setTimeout(() => console.log('second'), 5);
setTimeout(() => console.log('third'), 5);
const fourth = setTimeout(() => console.log('fourth'), 10);
process.on('exit', () => console.log('exit'));
