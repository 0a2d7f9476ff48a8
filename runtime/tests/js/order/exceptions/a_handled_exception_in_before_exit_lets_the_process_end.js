'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
process.once('beforeExit', () => {
  throw new Error('before');
});
process.on('exit', (code) => console.log('exit', code));
