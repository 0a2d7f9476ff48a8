'use strict';
process.on('exit', (code) => console.log('exit', code));
const late = Promise.reject(new Error('late'));
setImmediate(() => late.catch(() => console.log('never: caught')));
