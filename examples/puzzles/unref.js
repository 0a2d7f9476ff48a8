// Which of these timers keep the program alive?
'use strict';

const begin = performance.now();

setTimeout(function minute() { console.log('never printed'); }, 60000).unref();
let beats = 0;
setInterval(function heartbeat() { beats++; }, 5).unref();
setTimeout(function work() {
  console.log('work is done; the heartbeat ran meanwhile:', beats > 0);
}, 50);
process.on('exit', function onExit() {
  console.log('exit: after less than a minute:', performance.now() - begin < 60000);
});
