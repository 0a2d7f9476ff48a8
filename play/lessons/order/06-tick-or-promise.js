Promise.resolve().then(() => console.log('promise'));
process.nextTick(() => console.log('tick'));
queueMicrotask(() => console.log('microtask'));
console.log('script');
