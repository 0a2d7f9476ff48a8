'use strict';
const fs = require('fs');
fs.stat(__filename, () => {
  console.log('stat 1');
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('promise'));
  fs.stat(__filename, () => {
    console.log('stat 2');
    setImmediate(() => console.log('immediate'));
    setTimeout(() => console.log('timeout'), 0);
  });
});
