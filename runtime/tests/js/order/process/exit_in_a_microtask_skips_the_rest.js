'use strict';
process.on('exit', (code) => console.log('exit', code));
(async () => {
  await null;
  try {
    process.exit(8);
  } catch {
    console.log('never: catch');
  } finally {
    console.log('never: finally');
  }
})().then(() => console.log('never: then'));
queueMicrotask(() => console.log('never: microtask'));
