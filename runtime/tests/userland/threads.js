// piscina: work on threads
'use strict';
const { isMainThread, threadId } = require('node:worker_threads');
const Piscina = require('piscina');

if (!isMainThread) {
  module.exports = async ({ n, fail, wait, bytes }) => {
    if (fail) throw new RangeError(`failed ${fail}`);
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    if (bytes) return Piscina.move(bytes.fill(n));
    let sum = 0;
    for (let i = 0; i <= n; i++) sum += i;
    return { sum, isOther: threadId > 0 };
  };
  module.exports.named = (value) => `named ${value}`;
} else {
  main();
}

async function work() {
  const pool = new Piscina({ filename: __filename, minThreads: 1, maxThreads: 2,
    maxQueue: 50, idleTimeout: 20 });
  const results = await Promise.all(Array.from({ length: 40 }, (_, n) => pool.run({ n })));
  console.log(results.map(({ sum }) => sum).join(), results.every(({ isOther }) => isOther));
  console.log(await pool.run('x', { name: 'named' }), pool.completed, pool.threads.length <= 2);
  await pool.run({ fail: 'here' }).catch((error) => console.log(error.name, error.message));
  const abort = new AbortController();
  const waiting = pool.run({ wait: 60_000 }, { signal: abort.signal });
  setTimeout(() => abort.abort(), 20);
  await waiting.catch((error) => console.log(error.name, error.message));
  const bytes = new Uint8Array(1000);
  const moved = await pool.run({ n: 9, bytes }, { transferList: [bytes.buffer] });
  console.log(bytes.length, moved.length, moved[999]);
  const many = Array.from({ length: 60 }, (_, n) => pool.run({ n, wait: 5 }));
  const settled = await Promise.allSettled(many);
  console.log(settled.filter(({ status }) => status === 'rejected')
    .map(({ reason }) => reason.message).slice(0, 1), settled.length);
  await pool.destroy();
  console.log(pool.threads.length);
}

// The pool does not keep the process alive while it ends.
function main() {
  const alive = setInterval(() => {}, 1000);
  work().finally(() => clearInterval(alive));
}
