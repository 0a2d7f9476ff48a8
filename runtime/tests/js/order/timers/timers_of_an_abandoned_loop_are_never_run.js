'use strict';
const timer = setTimeout(() => console.log('never: timer'), 30).unref();
const immediate = setImmediate(() => console.log('never: immediate')).unref();
process.on('exit', () => console.log('exit', timer.hasRef(), immediate.hasRef()));
