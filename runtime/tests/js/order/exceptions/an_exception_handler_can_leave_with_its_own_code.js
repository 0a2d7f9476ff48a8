'use strict';
process.on('exit', (code) => console.log('exit', code));
process.on('uncaughtException', (error) => {
  console.log('handler', error.message);
  process.exit(42);
});
process.nextTick(() => console.log('never: tick'));
throw new Error('main');
