'use strict';
Promise.resolve('value')
  .finally(() => console.log('finally 1'))
  .then((value) => console.log('after', value));
Promise.reject(new Error('reason'))
  .finally(() => 'ignored')
  .catch((error) => console.log('caught', error.message));
Promise.resolve()
  .finally(() => { throw new Error('replaced'); })
  .catch((error) => console.log('caught', error.message));
let chain = Promise.resolve();
for (let turn = 1; turn <= 6; turn++) {
  chain = chain.then(() => console.log('turn', turn));
}
