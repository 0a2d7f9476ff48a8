'use strict';
// Two workers count in memory that they share: each loads the number, adds one and stores it. Both
// operations are atomic, what is done with them is not: another thread may have stored meanwhile.
//
//   phasor sim --seeds 1000 shared-counter.js        finds a world where a count is lost
//   phasor sim --seeds 1000 shared-counter-mended.js finds none
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
    Atomics.store(workerData, 0, Atomics.load(workerData, 0) + 1);
  }
}
