'use strict';
process.on('uncaughtException', (error) => console.log('handler', error.message));
setImmediate(() => console.log('immediate'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
throw new Error('main');
