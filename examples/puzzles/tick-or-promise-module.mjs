// The same in an ES module: which comes first, a tick or a promise?

Promise.resolve().then(function promise() {
  console.log('promise');
  process.nextTick(function tickOfPromise() { console.log('tick of the promise'); });
  queueMicrotask(function microtask() { console.log('microtask of the promise'); });
});
process.nextTick(function tick() {
  console.log('tick');
  Promise.resolve().then(function promiseOfTick() { console.log('promise of the tick'); });
  process.nextTick(function nextTick() { console.log('tick of the tick'); });
});
setTimeout(function later() {
  console.log('-- in a timer');
  Promise.resolve().then(function promise2() { console.log('promise'); });
  process.nextTick(function tick2() { console.log('tick'); });
}, 1);
console.log('main module');
