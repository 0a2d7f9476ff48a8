'use strict';
process.on('uncaughtException', (error) => {
    console.log('handler', error.message);
    process.nextTick(() => console.log('tick of the handler'));
    Promise.resolve().then(() => console.log('microtask of the handler'));
});
setTimeout(() => {
    process.nextTick(() => console.log('tick'));
    Promise.resolve().then(() => console.log('microtask'));
    throw new Error('timer');
}, 1);
