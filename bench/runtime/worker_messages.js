'use strict';
const { Worker, isMainThread, parentPort } = require('worker_threads');

const COUNT = 20000;
if (isMainThread) {
  const worker = new Worker(__filename);
  let start;
  let left = COUNT;
  worker.on('online', () => {
    start = process.hrtime.bigint();
    worker.postMessage({ left, name: 'a message', list: [1, 2, 3] });
  });
  worker.on('message', (message) => {
    if (--left > 0) {
      worker.postMessage(message);
      return;
    }
    console.log(`${Number(process.hrtime.bigint() - start) / 1e6} ms`);
    worker.terminate();
  });
} else {
  parentPort.on('message', (message) => parentPort.postMessage(message));
}
