'use strict';
const waits = require('timers/promises');

function chain(count, name) {
  let last = Promise.resolve();
  for (let i = 0; i < count; i++) last = last.then(() => console.log(name, i));
}

async function abort(name, start) {
  const controller = new AbortController();
  const waiting = start(controller.signal);
  waiting.catch((error) => console.log(name, error.name, error.code));
  setImmediate(() => {
    controller.abort();
    process.nextTick(() => console.log(name, 'tick'));
    chain(7, name);
  });
  await waiting.catch(() => {});
  await waits.setTimeout(2);
}

async function run() {
  await abort('timeout', (signal) => waits.setTimeout(5000, 1, { signal }));
  await abort('wait', (signal) => waits.scheduler.wait(5000, { signal }));
  await abort('interval', async (signal) => {
    for await (const one of waits.setInterval(5000, 1, { signal })) console.log(one);
  });
  const controller = new AbortController();
  waits.setImmediate(1, { signal: controller.signal }).catch((error) => console.log(error.name));
  controller.abort();
  chain(6, 'immediate');
}
run();
