'use strict';
setTimeout(() => console.log('unrefed'), 5).unref();
const interval = setInterval(() => {
  console.log('interval');
  clearInterval(interval);
}, 10);
interval.unref();
setTimeout(() => console.log('referenced'), 100);
process.on('exit', () => console.log('exit'));
