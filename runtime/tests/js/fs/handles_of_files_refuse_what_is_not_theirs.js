'use strict';
// Methods of a FileHandle on something else and on a closed one; a handle that a stream uses stays
// in its thread.

const fs = require('fs');
const { MessageChannel } = require('worker_threads');

const NAMES = ['read', 'write', 'readv', 'writev', 'readFile', 'writeFile', 'appendFile', 'stat',
  'truncate', 'chmod', 'chown', 'sync', 'datasync', 'utimes'];

async function show(name, start) {
  let promise;
  try {
    promise = start();
  } catch (error) {
    console.log(name, 'throws', error.name, error.code);
    return;
  }
  await promise.then(() => console.log(name, 'does'), (error) =>
    console.log(name, error.name, error.code, error.syscall, error.message.split('\n')[0]));
}

(async () => {
  const handle = await fs.promises.open(__filename);
  for (const name of NAMES) await show(name, () => handle[name].call({}, Buffer.alloc(1)));
  await handle.close();
  for (const name of ['read', 'stat', 'sync', 'readFile', 'writeFile', 'truncate', 'chmod'])
    await show(name, () => handle[name](Buffer.alloc(1)));

  const { port1, port2 } = new MessageChannel();
  const used = await fs.promises.open(__filename);
  fs.createReadStream(null, { fd: used });
  try {
    port1.postMessage(used, [used]);
  } catch (error) {
    console.log(error.name, error.code);
  }
  port2.close();
  await used.close();
})();
