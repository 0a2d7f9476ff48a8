const { Worker } = require('worker_threads');
const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  parentPort.postMessage('before');
  setTimeout(() => { throw Object.assign(new TypeError('in a worker'), { code: 'EBAD' }); }, 5);
`, { eval: true });
worker.on('message', (message) => console.log('message', message));
worker.on('error', (error) => {
  console.log('error', error instanceof TypeError, error.name, error.message, error.code);
});
worker.on('exit', (code) => console.log('exit', code));
process.on('exit', (code) => console.log('main ends with', code));
