'use strict';
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { performance } = require('perf_hooks');

if (isMainThread) {
  new Worker(__filename).on('message', (isRunning) => console.log('running', isRunning));
} else {
  const { idle, active } = performance.eventLoopUtilization();
  parentPort.postMessage(idle + active > 0);
}
