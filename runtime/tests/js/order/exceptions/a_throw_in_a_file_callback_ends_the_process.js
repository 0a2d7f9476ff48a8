'use strict';
const fs = require('fs');
process.on('exit', (code) => console.log('exit', code));
fs.stat(__filename, () => {
  setImmediate(() => console.log('never: immediate'));
  throw new Error('in a file callback');
});
