// An interval of 20 ms; its third call takes 100 ms. When is its tenth call?
'use strict';

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function interval() {
  const begin = performance.now();
  let calls = 0;
  const handle = setInterval(function every() {
    calls++;
    if (calls === 3) spin(100);
    if (calls < 10) return;
    clearInterval(handle);
    const behind = performance.now() - begin - 200;
    console.log('interval: the tenth call is at least 75 ms behind 200 ms:', behind >= 75);
    console.error(`interval: ${behind.toFixed(1)} ms behind`);
    aimed();
  }, 20);
}

// The cure: every delay is counted from the beginning, so what was lost is made up for.
function aimed() {
  const begin = performance.now();
  let calls = 0;
  setTimeout(function aim() {
    calls++;
    if (calls === 3) spin(100);
    if (calls < 10) {
      setTimeout(aim, Math.ceil(begin + (calls + 1) * 20 - performance.now()));
      return;
    }
    const behind = performance.now() - begin - 200;
    console.log('aimed: the tenth call is not before 199 ms:', behind >= -1);
    console.error(`aimed: ${behind.toFixed(1)} ms behind`);
  }, 20);
}

interval();
