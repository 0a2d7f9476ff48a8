'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.reject(new Error('nobody cares'));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setTimeout(() => console.log('never: timeout'), 50);
