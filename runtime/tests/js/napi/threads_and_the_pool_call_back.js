'use strict';
const addon = require(`${process.env.PHASOR_TEST_ADDONS}/threads.node`);
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const joined = () => new Promise((resolve) => { globalThis.onJoined = resolve; });

async function count(most) {
  const counts = [0, 0];
  let ticks = 0;
  storage.run('stored', () => addon.call((thread) => {
    counts[thread]++;
    if (storage.getStore() !== 'stored') console.log('the context is lost');
    process.nextTick(() => { ticks++; });
  }, most));
  await joined();
  console.log(counts, ticks);
}

async function main() {
  console.log(await Promise.all([3, 4].map(addon.square)));
  await count(0);
  const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
  addon.throwLater();
  const error = await uncaught;
  console.log(error.message, error.code);
  let calls = 0;
  addon.call(() => {
    if (++calls === 5) console.log('aborted', addon.abort());
  }, 0);
  await joined();
  console.log(calls);
}
main();
