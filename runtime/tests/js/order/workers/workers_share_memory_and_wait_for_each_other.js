const { Worker } = require('worker_threads');
const shared = new SharedArrayBuffer(16);
const cells = new Int32Array(shared);
const worker = new Worker(`
  const { workerData } = require('worker_threads');
  const cells = new Int32Array(workerData);
  Atomics.add(cells, 1, 41);
  Atomics.store(cells, 0, 1);
  Atomics.notify(cells, 0);
  Atomics.wait(cells, 2, 0);
  Atomics.add(cells, 1, 1);
`, { eval: true, workerData: shared });
console.log(Atomics.wait(cells, 0, 0) !== 'timed-out', Atomics.load(cells, 1));
console.log(Atomics.wait(cells, 3, 0, 10), Atomics.wait(cells, 0, 5));
Atomics.store(cells, 2, 1);
Atomics.notify(cells, 2);
worker.on('exit', (code) => console.log('exit', code, Atomics.load(cells, 1)));
