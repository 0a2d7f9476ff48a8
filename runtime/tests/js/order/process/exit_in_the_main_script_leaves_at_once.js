'use strict';
process.on('beforeExit', () => console.log('never: beforeExit'));
process.on('exit', (code) => {
  console.log('exit', code);
  process.nextTick(() => console.log('never: tick'));
  setTimeout(() => console.log('never: timeout'), 0);
  Promise.resolve().then(() => console.log('never: microtask'));
});
process.nextTick(() => console.log('never: first tick'));
try {
  process.exit(4);
} finally {
  console.log('never: finally');
}
