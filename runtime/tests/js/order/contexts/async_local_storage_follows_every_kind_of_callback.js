// needs: contexts
const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const net = require('net');
const storage = new AsyncLocalStorage();
const sleep = require('util').promisify(setTimeout);
const steps = [
  (done) => setTimeout(done, 1),
  (done) => { const timer = setInterval(() => { clearInterval(timer); done(); }, 1); },
  (done) => setImmediate(done),
  (done) => process.nextTick(done),
  (done) => queueMicrotask(done),
  (done) => Promise.resolve().then(done),
  (done) => (async () => { await null; await sleep(1); done(); })(),
  (done) => fs.readFile(__filename, done),
  (done) => fs.promises.stat(__filename).then(done),
  (done) => fs.createReadStream(__filename).on('close', done).resume(),
  (done) => require('dns').lookup('127.0.0.1', done),
  (done) => {
    const server = net.createServer((socket) => socket.end('x')).listen(0, () => {
      net.connect(server.address().port).on('close', () => server.close(done)).resume();
    });
  },
  (done) => require('child_process').exec('true', done),
  (done) => require('timers/promises').setImmediate().then(done),
];
(async () => {
  for (const [i, step] of steps.entries()) {
    await new Promise((resolve) => storage.run({ step: i }, () => step(() => {
      console.log(i, storage.getStore());
      resolve();
    })));
    console.log('outside', storage.getStore());
  }
})();
