'use strict';
const timer = setTimeout(() => console.log('never'), 60000);
console.log(timer.hasRef(), timer.unref() === timer, timer.hasRef());
const interval = setInterval(() => console.log('never'), 60000);
interval.unref();
const again = setTimeout(() => console.log('referenced again'), 5);
console.log(again.unref().hasRef(), again.ref() === again, again.hasRef());
process.on('exit', (code) => console.log('exit', code));
