const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  process.env.OUTSIDE = 'set';
  const worker = new Worker(__filename, {
    argv: ['one', 2], workerData: 'data', env: { ...process.env, INSIDE: 'yes' },
  });
  worker.on('message', (message) => console.log(message));
  worker.on('exit', (code) => console.log('exit', code, process.env.CHANGED));
} else {
  process.env.CHANGED = 'inside';
  parentPort.postMessage([workerData, process.argv.slice(2), process.env.OUTSIDE,
    process.env.INSIDE, require.main === module]);
  try {
    process.chdir('/');
  } catch (error) {
    parentPort.postMessage(error.code);
  }
}
