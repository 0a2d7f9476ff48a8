'use strict';
const fs = require('fs');

fs.stat(__filename, () => {
  setImmediate(() => console.log('immediate'));
  Promise.resolve().then(() => console.log('microtask'));
  process.nextTick(() => console.log('tick'));
  console.log('stat');
});
