'use strict';
const fs = require('fs');
process.on('uncaughtException', (error) => console.log('handler', error.message));
fs.stat(__filename, () => {
  setImmediate(() => console.log('immediate'));
  Promise.resolve().then(() => console.log('microtask'));
  process.nextTick(() => console.log('tick'));
  throw new Error('file');
});
