'use strict';
process.on('exit', (code) => {
  console.log('first', code);
  process.exit(9);
});
process.on('exit', (code) => console.log('never', code));
