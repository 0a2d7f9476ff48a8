// needs: hooks
'use strict';

const vm = require('vm');
const { createHook } = require('async_hooks');

let told = 0;
createHook({ init() { told++; } }).enable();
for (const script of ['for (;;) Promise.resolve()', 'for (;;) (async () => {})()', 'for (;;) ;']) {
  try {
    vm.runInNewContext(script, { setTimeout }, { timeout: 30 });
  } catch (error) {
    console.log(error.code);
  }
}
console.log(told > 100);
setTimeout(() => console.log('timer'), 1);
process.on('exit', (code) => console.log('exit', code));
