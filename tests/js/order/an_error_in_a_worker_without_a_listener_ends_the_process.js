// compare: stdout
const { Worker } = require('worker_threads');
const worker = new Worker('throw new Error("nobody listens")', { eval: true });
worker.on('exit', (code) => console.log('exit', code));
process.on('exit', (code) => console.log('main ends with', code));
