'use strict';
const controller = new AbortController();
controller.signal.addEventListener('abort', () => console.log('abort'));
const { setTimeout: sleep } = require('timers/promises');
sleep(1000, null, { signal: controller.signal }).catch((error) => console.log(error.name));
process.nextTick(() => console.log('tick'));
console.log('before');
controller.abort();
console.log('after');
