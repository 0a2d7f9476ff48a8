// compare: stdout
const { Worker } = require('worker_threads');
new Worker('throw new Error("nobody listens")', { eval: true });
process.on('exit', (code) => console.log('main ends with', code));
