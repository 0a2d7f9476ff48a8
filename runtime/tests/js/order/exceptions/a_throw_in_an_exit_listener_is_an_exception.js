'use strict';
process.on('exit', (code) => {
  console.log('exit', code);
  throw new Error('in an exit listener');
});
process.on('exit', () => console.log('never: second'));
