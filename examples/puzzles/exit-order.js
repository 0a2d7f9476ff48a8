// The loop has nothing left to do. What still runs, and what does not?
'use strict';

let rounds = 0;

process.on('beforeExit', function onBeforeExit(code) {
  console.log(`beforeExit ${++rounds}, code ${code}`);
  if (rounds === 1) {
    setTimeout(function moreWork() { console.log('more work: the loop turns again'); }, 1);
  } else {
    process.nextTick(function lastTick() { console.log('a tick of beforeExit runs'); });
    process.exitCode = 3;
  }
});
process.on('exit', function onExit(code) {
  console.log(`exit, code ${code}`);
  setTimeout(function never() { console.log('a timer of exit: never'); }, 0);
  process.nextTick(function never() { console.log('a tick of exit: never'); });
});
setImmediate(function work() { console.log('work'); });
console.log('main script');
