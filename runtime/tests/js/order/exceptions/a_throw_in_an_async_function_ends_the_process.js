'use strict';
process.on('exit', (code) => console.log('exit', code));
async function work() {
  console.log('work');
  await null;
  throw new Error('in an async function');
}
work().then(() => console.log('never: then'));
setImmediate(() => console.log('never: immediate'));
