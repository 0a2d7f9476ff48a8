'use strict';
process.on('SIGUSR2', (name, number) => {
  console.log(name, number);
  clearInterval(wait);
});
const wait = setInterval(() => {}, 1000);
process.nextTick(() => console.log('tick'));
process.kill(process.pid, 'SIGUSR2');
