'use strict';
const fs = require('fs');

(async () => {
  const handle = await fs.promises.open('file', 'w');
  handle.on('close', () => console.log('close event'));
  await handle.write('text');
  const closed = handle.close();
  console.log('closing');
  await closed;
  console.log('closed', handle.fd);
  await handle.close();
  console.log('closed again');
  await handle.stat().catch((error) => console.log(error.code, error.syscall));
})();
