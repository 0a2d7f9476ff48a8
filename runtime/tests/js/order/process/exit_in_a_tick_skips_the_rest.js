'use strict';
process.on('exit', (code) => console.log('exit', code));
Promise.resolve().then(() => console.log('never: microtask'));
process.nextTick(() => process.exit(6));
process.nextTick(() => console.log('never: tick'));
