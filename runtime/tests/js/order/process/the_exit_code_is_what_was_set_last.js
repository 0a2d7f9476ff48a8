'use strict';
process.exitCode = 3;
process.on('beforeExit', (code) => console.log('beforeExit', code));
process.on('exit', (code) => {
  console.log('exit', code, process.exitCode);
  process.exitCode = 5;
});
process.on('exit', (code) => console.log('second', code, process.exitCode));
