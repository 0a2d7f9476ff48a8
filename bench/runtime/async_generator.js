'use strict';
async function* count() {
  for (let i = 0; i < 300000; i++) yield i;
}
const start = process.hrtime.bigint();
(async () => {
  let sum = 0;
  for await (const i of count()) sum += i;
  console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`, sum);
})();
