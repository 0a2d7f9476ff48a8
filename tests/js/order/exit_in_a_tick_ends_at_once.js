'use strict';
Promise.resolve().then(() => console.log('never'));
setImmediate(() => console.log('never'));
process.nextTick(() => {
  console.log('tick');
  process.exit();
});
process.nextTick(() => console.log('never'));
process.on('exit', (code) => console.log('exit', code));
