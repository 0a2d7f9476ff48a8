const { Worker } = require('worker_threads');
const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
worker.unref();
worker.on('exit', () => console.log('never'));
process.on('exit', (code) => console.log('the process ends first', code));
