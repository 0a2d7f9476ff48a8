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
setImmediate(() => {
  throw new Error('immediate');
});
setImmediate(() => {
  console.log('next immediate');
  setTimeout(() => {
    throw new Error('timer');
  }, 1);
  setTimeout(readFile, 1);
});
function readFile() {
  fs.stat(__filename, () => {
    setImmediate(reject);
    process.nextTick(() => console.log('tick of the file callback'));
    throw new Error('file');
  });
}
function reject() {
  Promise.reject(new Error('promise'));
  setImmediate(() => console.log('next immediate'));
}
throw new Error('main');
