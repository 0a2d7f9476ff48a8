// An ES main module runs inside of the loop: behind it come immediates, then timers.
process.on('uncaughtException', (error) => console.log('handler', error.message));
process.nextTick(() => {
  console.log('tick');
  throw new Error('tick');
});
process.nextTick(() => console.log('next tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => {
  console.log('microtask');
  throw new Error('microtask');
});
queueMicrotask(() => console.log('next microtask'));
setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timer'), 0);
const start = Date.now();
while (Date.now() - start < 10);
