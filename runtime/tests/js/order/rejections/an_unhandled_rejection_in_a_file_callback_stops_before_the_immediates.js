'use strict';
const fs = require('fs');
process.on('exit', (code) => console.log('exit', code));
fs.stat(__filename, async () => {
  setImmediate(() => console.log('never: immediate'));
  await null;
  console.log('after await');
  throw new Error('in a file callback');
});
