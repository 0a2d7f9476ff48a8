'use strict';
process.nextTick(console.log, 'one');
process.nextTick(console.log, 'two', 2);
process.nextTick(console.log, 'three', 3, [3]);
process.nextTick((...all) => console.log(all.length, all.join()), 1, 2, 3, 4, 5, 6, 7);
try {
  process.nextTick('text');
} catch (error) {
  console.log(error.name, error.code);
}
console.log('main');
