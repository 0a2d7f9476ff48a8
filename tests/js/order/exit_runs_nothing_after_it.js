'use strict';
process.on('exit', (code) => {
  console.log('exit', code);
  setTimeout(() => console.log('never'), 0);
  process.nextTick(() => console.log('never'));
});
setTimeout(() => console.log('never'), 0);
process.nextTick(() => console.log('never'));
try {
  process.exit(4);
} finally {
  console.log('never');
}
