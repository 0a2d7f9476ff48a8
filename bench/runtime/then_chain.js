'use strict';
const start = process.hrtime.bigint();
let chain = Promise.resolve(0);
for (let i = 0; i < 1e6; i++) chain = chain.then((value) => value + 1);
chain.then((value) => {
  console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, value);
});
