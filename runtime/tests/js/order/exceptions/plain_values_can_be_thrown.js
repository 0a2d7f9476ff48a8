// compare: stdout
'use strict';
const values = ['text', 42, null, undefined, { code: 'X' }];
process.on('uncaughtException', (error, origin) => console.log(error, origin));
for (const value of values) {
  setTimeout(() => {
    throw value;
  }, 1);
}
setTimeout(() => {
  process.removeAllListeners('uncaughtException');
  process.on('exit', (code) => console.log('exit', code));
  throw 'the last one';
}, 20);
