'use strict';
const { once, on, setMaxListeners } = require('events');
const { setTimeout: sleep } = require('timers/promises');

process.on('warning', (warning) => console.log(warning.name, warning.message));

async function stopped(wait) {
  const controller = new AbortController();
  controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
  process.nextTick(() => controller.abort());
  await wait(controller.signal).then(console.log, (error) => console.log(error.name));
}

(async () => {
  await stopped((signal) => once(new EventTarget(), 'foo', { signal }));
  await stopped((signal) => on(new (require('events'))(), 'foo', { signal }).next());

  const target = new EventTarget();
  setMaxListeners(1, target);
  target.addEventListener('foo', () => {});
  target.addEventListener('foo', () => console.log('second'));
  await sleep(1);

  // A signal that a timer will abort is aborted for its listeners, though nobody has it.
  AbortSignal.timeout(5).addEventListener('abort', () => console.log('alone'));
  AbortSignal.any([AbortSignal.timeout(10)]).onabort = () => console.log('followed');
  const held = AbortSignal.timeout(15);
  await sleep(50);
  console.log(held.aborted, held.reason.name);
})();
