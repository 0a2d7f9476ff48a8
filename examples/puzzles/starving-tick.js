// A tick that queues the next tick keeps the loop from turning. An immediate does not.
'use strict';

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function ticks() {
  const begin = performance.now();
  let waiting = true;
  setTimeout(function lateTimer() {
    console.log('a timer of 10 ms, while ticks queue ticks for 50 ms');
    console.log('  ran while a tick was waiting:', waiting);
    console.log('  at least 40 ms late:', performance.now() - begin >= 50);
    immediates();
  }, 10);
  process.nextTick(function tick() {
    spin(2);
    waiting = performance.now() - begin < 50;
    if (waiting) process.nextTick(tick);
  });
}

function immediates() {
  let waiting = true;
  let fired = false;
  setTimeout(function goodTimer() {
    fired = true;
    console.log('a timer of 10 ms, while immediates queue immediates');
    console.log('  ran while an immediate was waiting:', waiting);
  }, 10);
  setImmediate(function immediate() {
    spin(2);
    waiting = !fired;
    if (waiting) setImmediate(immediate);
  });
}

ticks();
