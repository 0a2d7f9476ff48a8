process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
queueMicrotask(() => console.log('queued'));
setImmediate(() => {
  Promise.resolve().then(() => console.log('microtask of the immediate'));
  process.nextTick(() => console.log('tick of the immediate'));
});
console.log('main');
