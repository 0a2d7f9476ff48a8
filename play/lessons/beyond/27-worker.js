const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', (text) => {
    console.log('main hears:', text);
    worker.postMessage('thanks');
  });
  worker.on('exit', () => console.log('the worker has ended'));
  console.log('main goes on');
} else {
  parentPort.postMessage('hello');
  parentPort.once('message', () => parentPort.close());
}
