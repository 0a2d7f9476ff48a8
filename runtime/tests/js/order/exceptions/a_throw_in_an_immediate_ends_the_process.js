'use strict';
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => console.log('before'));
setImmediate(() => {
  throw new Error('in an immediate');
});
setImmediate(() => console.log('never: after'));
