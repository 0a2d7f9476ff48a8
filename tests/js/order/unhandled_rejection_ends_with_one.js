'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never'), 20);
Promise.reject(new Error('nobody'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
