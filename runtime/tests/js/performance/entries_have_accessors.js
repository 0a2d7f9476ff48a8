'use strict';
const { performance, PerformanceObserver, PerformanceEntry } = require('perf_hooks');

const { constants } = require('perf_hooks');
console.log(constants.NODE_PERFORMANCE_MILESTONE_LOOP_START, Object.keys(constants).length);

const describe = (Class) => Object.getOwnPropertyNames(Class.prototype).sort().join(' ');
for (const Class of [PerformanceEntry, PerformanceMark, PerformanceMeasure,
  PerformanceResourceTiming]) console.log(Class.name, describe(Class));
console.log(typeof Performance, typeof PerformanceObserverEntryList);

const mark = performance.mark('a', { startTime: 3, detail: { b: 1 } });
console.log(mark, JSON.stringify(mark), Object.keys(mark), mark instanceof PerformanceEntry);
console.log(JSON.stringify(performance.measure('m', { start: 1, duration: 2 })));
for (const name of ['name', 'entryType', 'startTime', 'duration']) {
  try {
    PerformanceEntry.prototype[name];
  } catch (error) {
    console.log(error.code);
  }
}
console.log(Object.keys(JSON.parse(JSON.stringify(performance.nodeTiming))).sort().join());

new PerformanceObserver((list) => {
  const [entry] = list.getEntries();
  console.log(entry.constructor.name, entry.name, entry.detail, Object.keys(entry), entry[1]);
}).observe({ type: 'function' });
performance.timerify(function timed() {})('x', 'y');
