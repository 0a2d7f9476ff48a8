'use strict';
// A timer for each day of a year.
const began = Date.now();
const monotonic = process.hrtime.bigint();
const performed = performance.now();
let days = 0;
const timer = setInterval(() => {
  if (++days < 365) return;
  clearInterval(timer);
  console.log(days, Date.now() - began, (process.hrtime.bigint() - monotonic) / 1000000n,
    Math.round(performance.now() - performed));
}, 86400000);
