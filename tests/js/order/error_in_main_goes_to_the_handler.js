'use strict';
process.on('uncaughtException', (error, origin) => console.log('caught', error.message, origin));
setTimeout(() => console.log('timeout'), 5);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
throw new Error('main');
