'use strict';
let left = 1e6;
const start = process.hrtime.bigint();
(function turn() {
  if (--left > 0) Promise.resolve(left).then(turn);
  else console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
})();
