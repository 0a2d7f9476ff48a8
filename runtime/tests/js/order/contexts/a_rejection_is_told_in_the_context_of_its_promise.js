// needs: contexts
'use strict';
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
process.on('unhandledRejection', (reason) => console.log(reason, storage.getStore()));
storage.run('a', () => { Promise.reject('rejected'); });
storage.run('b', () => { new Promise((_, reject) => setTimeout(reject, 2, 'by a timer')); });
storage.run('c', async () => {
  await 1;
  throw 'after an await';
});
const resolved = Promise.resolve();
storage.run('d', () => resolved.then(() => { throw 'in then'; }));
storage.run('e', () => storage.run('f', () => resolved.then(() => 1).finally(() => {
  throw 'at last';
})));
setTimeout(() => { Promise.reject('nowhere'); }, 10);
