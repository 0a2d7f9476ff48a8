'use strict';
const fs = require('fs');

(async () => {
  console.log('start');
  await fs.promises.writeFile('file', 'text');
  console.log('written');
  setImmediate(() => console.log('immediate'));
  await null;
  console.log('microtask');
  process.nextTick(() => console.log('tick'));
  await new Promise((resolve) => setImmediate(resolve));
  console.log(await fs.promises.readFile('file', 'utf8'));
  await fs.promises.rm('file');
  await fs.promises.stat('file').catch((error) => console.log(error.code, error.syscall));
})();
Promise.resolve().then(() => console.log('other microtask'));
console.log('main');
