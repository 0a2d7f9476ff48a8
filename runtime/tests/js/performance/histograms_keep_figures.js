'use strict';
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');

function show(histogram) {
  const { count, min, max, mean, stddev, exceeds, percentiles } = histogram;
  console.log(count, min, max, mean, stddev, exceeds, JSON.stringify([...percentiles]));
  console.log([1, 14, 15, 33.33, 50, 75, 90, 99, 99.95, 100].map((rank) =>
    histogram.percentile(rank)).join(' '));
}

const LISTS = [[123456], [1, 2047, 2048, 2049, 4095, 4096, 4097], [1e9 + 7, 5], [2 ** 53 - 1],
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]];
for (const figures of [1, 2, 3, 4, 5]) {
  for (const list of LISTS) {
    const histogram = createHistogram({ figures });
    for (const value of list) histogram.record(value);
    show(histogram);
  }
}
for (const lowest of [1, 5, 1000, 1e6]) {
  const histogram = createHistogram({ lowest, highest: 1e10 });
  for (const value of [1, 999, 1000, 12345, 1e7 + 123, 1e10, 2e10]) histogram.record(value);
  show(histogram);
}
const squares = createHistogram({ figures: 1 });
for (let i = 1; i <= 1000; i++) squares.record(i * i);
show(squares);
const sum = createHistogram();
sum.record(77777);
sum.add(squares);
show(sum);
sum.reset();
show(sum);

// Many different values take no more room than few, and are asked about at once.
const many = createHistogram();
for (let i = 1; i <= 2e4; i++) many.record(i * 1000003);
let total = 0;
for (let rank = 0.01; rank < 100; rank += 0.05) total += many.percentile(rank);
console.log(many.count, total > 0);
console.log(monitorEventLoopDelay({ resolution: 1 }).percentile(50));
