// A worker in an endless statement, or in the wait for a lock, ends when it is told to; so does the
// process. Its handlers of errors do not run.
const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const { DatabaseSync } = require('node:sqlite');
const { once } = require('node:events');
const { Worker } = require('node:worker_threads');

const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) ' +
  'SELECT count(*) FROM c';
const start = `
  const { DatabaseSync } = require('node:sqlite');
  const { parentPort } = require('node:worker_threads');
  const said = new Int32Array(require('node:worker_threads').workerData);
  function attempt(work) {
    parentPort.postMessage('begins');
    try { work(); } catch { Atomics.store(said, 0, 1); }
    Atomics.store(said, 0, 1);
  }`;
const works = {
  exec: `new DatabaseSync(':memory:').exec('${endless}')`,
  get: `new DatabaseSync(':memory:').prepare('${endless}').get()`,
  iterate: `[...new DatabaseSync(':memory:').prepare('${endless}').iterate()]`,
  lock: `(() => {
    const first = new DatabaseSync('locked.db');
    const second = new DatabaseSync('locked.db', { timeout: 2 ** 30 });
    first.exec('BEGIN EXCLUSIVE');
    second.exec('CREATE TABLE t(x)');
  })()`,
};

async function isEnded(work) {
  const said = new SharedArrayBuffer(4);
  const worker = new Worker(`${start}\nattempt(() => ${work});`, { eval: true, workerData: said });
  await once(worker, 'message');
  assert.strictEqual(await worker.terminate(), 1);
  assert.strictEqual(new Int32Array(said)[0], 0);
}

const exits = (work) => `
  const { Worker } = require('node:worker_threads');
  const source = ${JSON.stringify(`${start}\nattempt(() => ${work});`)};
  new Worker(source, { eval: true, workerData: new SharedArrayBuffer(4) })
    .on('message', () => setImmediate(() => process.exit(7)));`;

(async () => {
  for (const work of Object.values(works)) await isEnded(work);
  for (const work of [works.exec, works.lock]) {
    const { status } = spawnSync(process.execPath, ['-e', exits(work)], { timeout: 60000 });
    assert.strictEqual(status, 7);
  }
  const first = new DatabaseSync('main.db');
  const second = new DatabaseSync('main.db', { timeout: 50 });
  first.exec('BEGIN EXCLUSIVE');
  assert.throws(() => second.exec('CREATE TABLE t(x)'), { message: 'database is locked' });
  first.exec('COMMIT');
  second.exec('CREATE TABLE t(x)');
  console.log('done');
})();
