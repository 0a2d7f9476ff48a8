'use strict';
process.on('exit', (code) => {
  console.log('first', code);
  process.exit(11);
});
process.on('exit', () => console.log('never: second'));
process.exit(10);
