'use strict';
const fs = require('fs');
process.on('uncaughtException', (error) => {
  console.log('caught', error.message);
  setImmediate(() => console.log('immediate after'));
});
fs.stat(__filename, () => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('promise'));
  throw new Error('io');
});
