'use strict';
process.exitCode = 3;
process.on('exit', (code) => {
  console.log('code', code);
  process.exitCode = 5;
});
process.on('beforeExit', (code) => console.log('before', code));
