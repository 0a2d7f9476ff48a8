'use strict';
// What a tick that throws leaves behind comes with whatever runs next.
let phase = 0;
process.on('uncaughtException', (error) => console.log('caught', error.message));
function fill(name) {
  for (const number of [1, 2, 3])
    process.nextTick(() => { throw new Error(`${name} ${number}`); });
  process.nextTick(() => console.log(name, 'last tick'));
  Promise.resolve().then(() => console.log(name, 'microtask'));
  for (const number of [1, 2, 3]) setImmediate(() => console.log(name, 'immediate', number));
}
function next() {
  const stat = (work) => require('fs').stat('.', work);
  phase++;
  if (phase === 1) stat(() => { fill('file'); setTimeout(next, 50); });
  if (phase === 2) {
    stat(() => {
      fill('throwing file');
      setTimeout(next, 50);
      throw new Error('file');
    });
  }
  if (phase === 3) setImmediate(() => { fill('immediate'); setTimeout(next, 50); });
}
setTimeout(next, 100);
