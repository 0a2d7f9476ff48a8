const { Worker } = require('worker_threads');
const worker = new Worker(
    `
  const { parentPort } = require('worker_threads');
  process.on('uncaughtException', (error, origin) => {
    parentPort.postMessage([error.message, origin]);
  });
  process.on('exit', (code) => parentPort.postMessage(['exit listener', code]));
  setTimeout(() => { throw new Error('in a timer'); }, 1);
  setTimeout(() => Promise.reject(new Error('a rejection')), 20);
  setTimeout(() => parentPort.postMessage('still here'), 40);
`,
    { eval: true },
);
worker.on('message', message => console.log(message));
worker.on('error', error => console.log('never', error));
worker.on('exit', code => console.log('exit', code));
