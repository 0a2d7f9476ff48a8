// compare: stdout
'use strict';

const dive = () => dive() + 1;
require('async_hooks').createHook({ init() { dive(); } }).enable();
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never'), 1);
console.log('never');
