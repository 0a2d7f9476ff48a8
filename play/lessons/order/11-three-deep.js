process.nextTick(() => {
  console.log('tick 1');
  Promise.resolve().then(() => {
    console.log('  promise of tick 1');
    process.nextTick(() => console.log('    tick of that promise'));
  });
});
Promise.resolve().then(() => {
  console.log('promise 1');
  process.nextTick(() => {
    console.log('  tick of promise 1');
    Promise.resolve().then(() => console.log('    promise of that tick'));
  });
});
