'use strict';
// shared-counter.js with one operation that loads, adds and stores.
//
//   phasor sim --seeds 1000 shared-counter-mended.js
const assert = require('assert');
const { Worker, isMainThread, workerData } = require('worker_threads');

const WORKERS = 2;
const TIMES = 10;

if (isMainThread) {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  let left = WORKERS;
  for (let i = 0; i < WORKERS; i++) {
    new Worker(__filename, { workerData: shared }).on('exit', () => {
      if (--left === 0) assert.strictEqual(shared[0], WORKERS * TIMES);
    });
  }
} else {
  for (let i = 0; i < TIMES; i++) {
    Atomics.add(workerData, 0, 1);
  }
}
