'use strict';
// A watchdog measures how long there was no beat, by the calendar. Somebody sets it, and time
// runs backwards.
//
//   phasor sim --seeds 1000 calendar-as-stopwatch.js
const assert = require('assert');
const now = () => Date.now();

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
