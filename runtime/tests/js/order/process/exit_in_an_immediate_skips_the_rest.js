'use strict';
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => {
  process.nextTick(() => console.log('never: tick'));
  process.exit(12);
});
setImmediate(() => console.log('never: immediate'));
