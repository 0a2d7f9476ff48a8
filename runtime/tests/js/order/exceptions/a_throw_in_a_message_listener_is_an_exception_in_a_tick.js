'use strict';
const { MessageChannel } = require('worker_threads');

process.on('uncaughtException', (error) => console.log('caught', error.message));
const { port1, port2 } = new MessageChannel();
port1.on('message', (value) => {
  console.log('one', value);
  process.nextTick(() => console.log('tick', value));
  Promise.resolve().then(() => console.log('microtask', value));
  if (value === 1) throw new Error('first');
  if (value === 3) port1.close();
});
port1.on('message', (value) => console.log('two', value));
port1.addEventListener('message', (event) => console.log('three', event.data));
port1.once('message', (value) => console.log('once', value));
port1.on('close', () => console.log('close'));
for (const value of [1, 2, 3]) port2.postMessage(value);
