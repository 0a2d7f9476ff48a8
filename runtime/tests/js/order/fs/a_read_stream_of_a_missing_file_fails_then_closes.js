'use strict';
const fs = require('fs');

const stream = fs.createReadStream('missing');
stream.on('open', () => console.log('never: open'));
stream.on('error', (error) => {
  console.log('error', error.code);
  process.nextTick(() => console.log('tick'));
});
stream.on('close', () => console.log('close'));
console.log('main');
