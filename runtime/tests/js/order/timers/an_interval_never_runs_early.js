'use strict';
// The loop's clock counts whole milliseconds: so do we.
const now = () => Number(process.hrtime.bigint() / 1000000n);
const start = now();
let runs = 0;
const interval = setInterval(() => {
  runs++;
  console.log(runs, now() - start >= runs * 10);
  if (runs === 4) {
    clearInterval(interval);
  }
}, 10);
