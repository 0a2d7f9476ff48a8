// needs: waits
'use strict';
const { Worker } = require('worker_threads');

const shared = new Int32Array(new SharedArrayBuffer(8));
const source = `const { parentPort, workerData } = require('worker_threads');
parentPort.postMessage('waiting');
process.on('exit', () => parentPort.postMessage('not told'));
try {
  Atomics.wait(workerData, 0, 0);
  Atomics.wait(workerData, 1, 0);
} catch {
  parentPort.postMessage('not caught');
} finally {
  parentPort.postMessage('not run');
}`;

function run(name, onWaiting) {
  return new Promise((resolve) => {
    const worker = new Worker(source, { eval: true, workerData: shared });
    worker.on('message', (text) => {
      console.log(name, text);
      onWaiting(worker);
    });
    worker.on('error', (error) => console.log(name, error));
    worker.on('exit', (code) => resolve(console.log(name, 'exit', code)));
  });
}

async function main() {
  await run('at once', (worker) => worker.terminate());
  await run('later', (worker) => setTimeout(() => worker.terminate(), 30));
  await run('second wait', (worker) => setTimeout(() => {
    Atomics.store(shared, 0, 1);
    Atomics.notify(shared, 0);
    setTimeout(() => worker.terminate(), 30);
  }, 30));
  shared[0] = 0;
  run('with the process', () => setTimeout(() => process.exit(5), 30));
}
main();
