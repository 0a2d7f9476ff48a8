'use strict';
(async () => {
  await Promise.resolve();
  console.log('a1');
  await Promise.resolve();
  console.log('a2');
})();
Promise.resolve().then(() => console.log('b1')).then(() => console.log('b2'))
  .then(() => console.log('b3'));
