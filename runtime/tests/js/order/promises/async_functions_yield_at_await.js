'use strict';
async function one() {
  console.log('one start');
  await two();
  console.log('one end');
}
async function two() {
  console.log('two start');
  await null;
  console.log('two end');
}
console.log('main start');
one().then(() => console.log('then'));
process.nextTick(() => console.log('tick'));
console.log('main end');
