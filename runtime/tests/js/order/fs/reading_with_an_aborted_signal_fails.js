'use strict';
const fs = require('fs');

fs.readFile(__filename, { signal: AbortSignal.abort() }, (error) => {
  console.log('callback', error.name, error.code);
});
fs.promises.readFile(__filename, { signal: AbortSignal.abort() }).catch((error) => {
  console.log('promise', error.name, error.code);
});
process.nextTick(() => console.log('tick'));
console.log('main');
