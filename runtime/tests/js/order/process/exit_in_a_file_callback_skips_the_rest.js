'use strict';
const fs = require('fs');
process.on('exit', (code) => console.log('exit', code));
fs.readFile(__filename, () => {
  setImmediate(() => console.log('never: immediate'));
  process.exit();
});
