'use strict';
queueMicrotask(() => console.log('queued 1'));
Promise.resolve().then(() => console.log('promise 1'));
queueMicrotask(() => console.log('queued 2'));
Promise.reject(0).catch(() => console.log('promise 2'));
(async () => {
  await null;
  console.log('async');
})();
queueMicrotask(() => console.log('queued 3'));
