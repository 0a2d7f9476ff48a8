'use strict';
const keep = setInterval(() => {}, 1000);
process.once('SIGUSR2', (name, number) => {
  console.log('handler', name, number);
  process.nextTick(() => console.log('tick'));
  clearInterval(keep);
});
process.kill(process.pid, 'SIGUSR2');
console.log('main');
process.nextTick(() => console.log('first tick'));
