import fs from 'node:fs';
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
setTimeout(() => {
  process.nextTick(() => console.log('tick in a timer'));
  Promise.resolve().then(() => console.log('promise in a timer'));
}, 1);
console.log('module', typeof fs.readFile);
