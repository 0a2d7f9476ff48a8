process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask'));
console.log('main');
setImmediate(() => {
  process.nextTick(() => console.log('tick 2'));
  Promise.resolve().then(() => console.log('promise 2'));
});
