'use strict';
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => {
  throw new Error('boom');
}, 1);
setTimeout(() => console.log('never'), 20);
