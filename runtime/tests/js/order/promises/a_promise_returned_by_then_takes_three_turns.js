'use strict';
Promise.resolve()
  .then(() => Promise.resolve('inner'))
  .then(console.log);
let chain = Promise.resolve();
for (let turn = 1; turn <= 6; turn++) {
  chain = chain.then(() => console.log('turn', turn));
}
