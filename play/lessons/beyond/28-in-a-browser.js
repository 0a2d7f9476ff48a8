setTimeout(() => {
  console.log('task 1');
  Promise.resolve().then(() => console.log('microtask of task 1'));
}, 0);
setTimeout(() => console.log('task 2'), 0);
queueMicrotask(() => console.log('microtask'));
console.log('script');
