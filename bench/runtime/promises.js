'use strict';
const start = process.hrtime.bigint();
(async () => {
  for (let i = 0; i < 1e6; i++) await null;
  console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
})();
