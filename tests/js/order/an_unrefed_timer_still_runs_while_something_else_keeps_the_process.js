'use strict';
setTimeout(() => console.log('unrefed'), 5).unref();
const interval = setInterval(() => console.log('interval'), 5);
interval.unref();
setTimeout(() => clearInterval(interval), 6).unref();
setTimeout(() => console.log('referenced'), 100);
process.on('exit', () => console.log('exit'));
