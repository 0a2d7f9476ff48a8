'use strict';
process.on('uncaughtException', (error, origin) => console.log(error.message, origin));
Promise.reject(new Error('r'));
setTimeout(() => Promise.reject(new TypeError('second')), 1);
