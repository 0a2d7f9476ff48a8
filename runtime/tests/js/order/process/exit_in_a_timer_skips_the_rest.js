'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => {
  process.exitCode = 9;
  process.exit();
}, 1);
setTimeout(() => console.log('never: timer'), 1);
