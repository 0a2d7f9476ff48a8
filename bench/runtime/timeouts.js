'use strict';
const COUNT = 1e6;
let left = COUNT;
const start = process.hrtime.bigint();
for (let i = 0; i < COUNT; i++) {
  setTimeout(() => {
    if (--left === 0) console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
  }, 1 + i % 20);
}
