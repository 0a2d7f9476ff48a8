'use strict';
const events = require('events');

process.on('warning', (warning) => console.log(warning.message, warning.count));
const add = (target, count) => {
  for (let i = 0; i < count; i++) target.addEventListener('foo', () => {});
};
add(new EventTarget(), 10);
add(new EventTarget(), 11);
add(new AbortController().signal, 12);
events.setMaxListeners(2);
add(new MessageChannel().port1, 3);
const calm = new EventTarget();
events.setMaxListeners(0, calm);
add(calm, 20);
console.log(events.getMaxListeners(new EventTarget()));

// A listener goes with its signal, though the signal's event was stopped.
const controller = new AbortController();
controller.signal.addEventListener('abort', (event) => event.stopImmediatePropagation());
calm.addEventListener('bar', () => console.log('never'), { signal: controller.signal });
controller.abort();
calm.dispatchEvent(new Event('bar'));
