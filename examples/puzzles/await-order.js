// In which order do await, then, thenables and returned promises go on?
'use strict';

async function inner() {
  console.log('2 inner begins');
}

async function outer() {
  console.log('1 outer begins');
  await inner();
  console.log('5 outer goes on: one microtask');
}

const thenable = { then(resolve) { resolve(); } };

outer();
(async function waitsForThenable() {
  await thenable;
  console.log('7 after a thenable: two');
})();
Promise.resolve()
  .then(function returnsPromise() { return Promise.resolve(); })
  .then(function afterReturned() { console.log('10 after a returned promise: three more'); });
Promise.resolve()
  .then(function first() { console.log('6 first of a chain'); })
  .then(function second() { console.log('8 second of it'); })
  .then(function third() { console.log('9 third of it'); })
  .then(function fourth() { console.log('11 fourth of it'); });
process.nextTick(function tick() { console.log('4 tick'); });
console.log('3 the script ends');
