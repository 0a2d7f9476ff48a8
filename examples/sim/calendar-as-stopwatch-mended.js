'use strict';
// The mended calendar-as-stopwatch.js: a clock that nobody sets.
const assert = require('assert');
const now = () => performance.now();

let beats = 0;
let last = now();
const watchdog = setInterval(() => {
  const silence = now() - last;
  assert.ok(silence >= 0 && silence < 60000, `no beat for ${silence} ms`);
}, 100);
const heart = setInterval(() => {
  last = now();
  if (++beats < 300) return;
  clearInterval(heart);
  clearInterval(watchdog);
}, 100);
