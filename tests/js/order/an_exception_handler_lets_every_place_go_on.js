'use strict';
const fs = require('fs');
process.on('uncaughtException', (error, origin) => {
    console.log('handler', error.message, origin);
});
process.on('exit', (code) => console.log('exit', code));

process.nextTick(() => {
    throw new Error('tick');
});
process.nextTick(() => console.log('next tick'));
queueMicrotask(() => {
    throw new Error('microtask');
});
queueMicrotask(() => console.log('next microtask'));
setTimeout(() => {
    throw new Error('timer');
}, 30);
setTimeout(() => console.log('next timer'), 30);
setImmediate(() => {
    throw new Error('immediate');
});
setImmediate(() => console.log('next immediate'));
setTimeout(() => {
    fs.stat(__filename, () => {
        setImmediate(() => console.log('immediate of the file callback'));
        process.nextTick(() => console.log('tick of the file callback'));
        throw new Error('file');
    });
}, 60);
setTimeout(() => Promise.reject(new Error('promise')), 120);
throw new Error('main');
