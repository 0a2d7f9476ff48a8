'use strict';
process.on('exit', () => {
  console.log('exit');
  throw new Error('late');
});
