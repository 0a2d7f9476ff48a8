// needs: hooks
// stack: 16384
// frames: on the stack
// Hooks are told of work that is started when the stack is nearly full.
'use strict';

const { createHook } = require('async_hooks');
const { isMainThread, Worker } = require('worker_threads');

let told = 0;
createHook({ init() { told++; }, before() {}, after() {}, destroy() {}, promiseResolve() {} })
  .enable();

const ways = {
  ticks: () => { process.nextTick(() => {}); },
  microtasks: () => { queueMicrotask(() => {}); },
  promises: () => { Promise.resolve().then(() => {}); },
  timers: () => { clearTimeout(setTimeout(() => {}, 1)); },
  functions: () => { (async () => { await 1; })().catch(() => {}); },
};

for (const [name, start] of Object.entries(ways)) {
  const dive = () => {
    start();
    dive();
  };
  try {
    dive();
  } catch (error) {
    console.log(isMainThread, name, error.name, told > 1000);
  }
  told = 0;
}

setTimeout(() => {
  console.log(isMainThread, 'timer');
  if (isMainThread) new Worker(__filename).on('exit', (code) => console.log('worker', code));
}, 1);
process.on('exit', (code) => console.log(isMainThread, 'exit', code));
