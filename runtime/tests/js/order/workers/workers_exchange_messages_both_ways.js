const { Worker } = require('worker_threads');
const worker = new Worker(`
  const { parentPort, workerData, isMainThread, threadId } = require('worker_threads');
  parentPort.postMessage(['start', workerData, isMainThread, threadId > 0]);
  parentPort.on('message', (message) => {
    if (message === 'stop') parentPort.close();
    else parentPort.postMessage({ echo: message });
  });
`, { eval: true, workerData: { list: [1, 2], date: new Date(0), map: new Map([['a', 1]]) } });
worker.on('online', () => console.log('online'));
const answers = [];
worker.on('message', (message) => {
  console.log('message', message);
  answers.push(message);
  if (answers.length === 4) worker.postMessage('stop');
});
worker.on('exit', (code) => console.log('exit', code));
worker.postMessage(1);
worker.postMessage({ two: [2, null, undefined] });
worker.postMessage(new Set(['three']));
console.log('started');
