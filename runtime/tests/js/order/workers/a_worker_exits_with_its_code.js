const { Worker } = require('worker_threads');
function run(code, next) {
  const worker = new Worker(code, { eval: true });
  worker.on('error', (error) => console.log('error', String(error)));
  worker.on('exit', (status) => {
    console.log(code, '->', status, worker.threadId);
    next();
  });
}
const codes = [
  '', 'process.exit(3)', 'process.exitCode = 4', 'throw 5', 'Promise.reject(new RangeError("six"))',
  'process.on("exit", () => { process.exitCode = 7 })', 'setTimeout(() => process.exit(8), 5)',
  'process.exit(1); console.log("never")',
];
(function next() {
  if (codes.length > 0) run(codes.shift(), next);
})();
