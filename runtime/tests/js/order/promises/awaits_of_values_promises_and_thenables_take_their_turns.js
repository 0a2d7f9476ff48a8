'use strict';
async function value() {
  await 1;
  console.log('value');
}
async function promise() {
  await Promise.resolve();
  console.log('promise');
}
async function thenable() {
  await { then: (resolve) => resolve() };
  console.log('thenable');
}
async function returned() {
  return Promise.resolve();
}
async function plain() {
  return 1;
}
thenable();
returned().then(() => console.log('returned promise'));
plain().then(() => console.log('returned value'));
promise();
value();
let chain = Promise.resolve();
for (let turn = 1; turn <= 5; turn++) {
  chain = chain.then(() => console.log('turn', turn));
}
