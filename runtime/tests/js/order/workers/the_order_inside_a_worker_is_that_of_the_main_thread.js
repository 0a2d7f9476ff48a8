const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  new Worker(__filename).on('message', (line) => console.log(line))
    .on('exit', (code) => console.log('exit', code));
} else {
  const say = (line) => parentPort.postMessage(line);
  require('fs').readFile(__filename, () => {
    setTimeout(() => say('timeout'), 0);
    setImmediate(() => say('immediate'));
    process.nextTick(() => say('tick'));
    Promise.resolve().then(() => say('promise'));
  });
  process.nextTick(() => say('first tick'));
  queueMicrotask(() => say('first microtask'));
  process.on('beforeExit', () => say('before exit'));
  process.on('exit', () => say('at exit'));
  say('main');
}
