'use strict';
setTimeout(() => console.log('never'), 10000).unref();
const interval = setInterval(() => console.log('never'), 10000);
interval.unref();
console.log(interval.hasRef());
setImmediate(() => {
  console.log('immediate');
  const kept = setTimeout(() => console.log('kept'), 5);
  console.log(kept.hasRef(), kept.unref().ref().hasRef());
}).unref().ref();
process.on('exit', () => console.log('exit'));
