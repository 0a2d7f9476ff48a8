'use strict';
process.on('exit', async (code) => {
  console.log('exit', code);
  process.nextTick(() => console.log('never: tick'));
  setImmediate(() => console.log('never: immediate'));
  await null;
  console.log('after await');
});
process.on('exit', () => console.log('second'));
