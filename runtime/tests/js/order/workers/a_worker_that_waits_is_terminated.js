const { Worker } = require('worker_threads');
const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  parentPort.on('message', () => {});
  setInterval(() => {}, 1000);
  parentPort.postMessage('waiting');
`, { eval: true });
worker.once('message', (message) => {
  console.log(message);
  worker.terminate().then((code) => console.log('promise', code));
});
worker.on('exit', (code) => console.log('exit', code));
