'use strict';
const thenable = { then(resolve) {
  console.log('then called');
  resolve('value');
} };
(async () => console.log(await thenable))();
Promise.resolve(thenable).then((v) => console.log('resolved', v));
console.log('main');
