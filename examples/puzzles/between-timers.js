// Two timers are due at once. Do ticks and promises run after both, or in between?
'use strict';

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function pair(name) {
  return function callback() {
    console.log(name);
    Promise.resolve().then(function promise() { console.log(`  promise of ${name}`); });
    process.nextTick(function tick() { console.log(`  tick of ${name}`); });
  };
}

setTimeout(pair('timer 1'), 1);
setTimeout(pair('timer 2'), 1);
spin(5);
setImmediate(pair('immediate 1'));
setImmediate(pair('immediate 2'));
