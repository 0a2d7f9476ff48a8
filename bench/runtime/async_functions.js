'use strict';
async function same(value) {
  return value;
}
const start = process.hrtime.bigint();
(async () => {
  for (let i = 0; i < 1e6; i++) await same(i);
  console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
})();
