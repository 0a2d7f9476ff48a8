'use strict';
// perf_hooks: createHistogram, monitorEventLoopDelay, timerify, eventLoopUtilization, nodeTiming.
const { createHistogram, monitorEventLoopDelay, performance, PerformanceObserver } =
  require('perf_hooks');

const fails = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name, error.code);
  }
};
const histogram = createHistogram();
console.log(histogram.min, histogram.minBigInt, histogram.max, histogram.mean, histogram.count);
for (const value of [1, 2, 2, 3n, 10]) histogram.record(value);
console.log(histogram.count, histogram.countBigInt, histogram.min, histogram.max, histogram.mean);
console.log(histogram.stddev.toFixed(3), histogram.percentile(50), histogram.percentileBigInt(100));
const other = createHistogram({ lowest: 1, highest: 11, figures: 1 });
other.add(histogram);
console.log(other.count, other.exceeds, histogram.constructor.name);
for (const wrong of [false, '', {}, null, 0.5]) fails(() => histogram.record(wrong));
for (const wrong of [{ lowest: 'x' }, { highest: null }, { figures: 6 }, 5]) {
  fails(() => createHistogram(wrong));
}
fails(() => new histogram.constructor());
fails(() => histogram.add({}));
fails(() => histogram.percentile(0));
histogram.reset();
console.log(histogram.count, histogram.max);
const delay = monitorEventLoopDelay({ resolution: 5 });
console.log(delay.enable(), delay.enable(), delay.disable(), delay.disable());
fails(() => monitorEventLoopDelay({ resolution: 0 }));

const timed = performance.timerify(function add(a, b) { return a + b; }, { histogram });
console.log(timed.name, timed.length, timed(1, 2), histogram.count);
fails(() => performance.timerify(5));
fails(() => performance.timerify(() => {}, { histogram: 5 }));
new PerformanceObserver((list, observer) => {
  for (const entry of list.getEntries()) console.log(entry.name, entry.entryType, entry[0]);
  observer.disconnect();
}).observe({ entryTypes: ['function'] });
timed(3, 4);

const { nodeTiming } = performance;
console.log(nodeTiming.name, nodeTiming.entryType, nodeTiming.loopStart, nodeTiming.idleTime);
console.log(performance.eventLoopUtilization());
setTimeout(() => {
  const first = performance.eventLoopUtilization();
  console.log(first.idle > 0, first.active > 0, nodeTiming.loopStart > 0);
  const none = performance.eventLoopUtilization(first, first);
  console.log(none.idle, none.active);
}, 20);
