const { Worker } = require('worker_threads');
const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  process.on('exit', () => parentPort.postMessage('never told'));
  parentPort.postMessage('running');
  for (;;);
`, { eval: true });
worker.on('message', async (message) => {
  console.log('message', message);
  const code = await worker.terminate();
  console.log('terminated with', code);
  console.log('again', await worker.terminate());
});
worker.on('exit', (code) => console.log('exit', code));
