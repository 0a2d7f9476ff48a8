// compare: stdout
'use strict';
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => {
  throw 'text';
});
