'use strict';
process.on('exit', (code) => console.log('exit', code));
(async () => {
  await null;
  console.log('leaving');
  process.exit(2);
})().finally(() => console.log('never'));
Promise.resolve().then(() => {}).then(() => console.log('never'));
