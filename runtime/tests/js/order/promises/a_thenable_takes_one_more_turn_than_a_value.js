'use strict';
const thenable = {
  then(resolve) {
    console.log('then called');
    resolve('thenable');
  },
};
Promise.resolve(thenable).then(console.log);
Promise.resolve('value').then(console.log);
let chain = Promise.resolve();
for (let turn = 1; turn <= 4; turn++) {
  chain = chain.then(() => console.log('turn', turn));
}
