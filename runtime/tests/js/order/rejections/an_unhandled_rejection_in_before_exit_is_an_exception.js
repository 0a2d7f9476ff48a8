'use strict';
process.on('beforeExit', async () => {
  console.log('beforeExit');
  throw new Error('in beforeExit');
});
process.on('exit', (code) => console.log('exit', code));
