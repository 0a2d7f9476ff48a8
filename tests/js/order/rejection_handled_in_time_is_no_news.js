'use strict';
process.on('unhandledRejection', () => console.log('never'));
const a = Promise.reject(new Error('a'));
process.nextTick(() => a.catch((error) => console.log('tick', error.message)));
const b = Promise.reject(new Error('b'));
Promise.resolve().then(() => b.catch((error) => console.log('promise', error.message)));
