'use strict';
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function walk(name) {
  for (let step = 1; step <= 3; step++) {
    await turn();
    console.log(name, step);
    process.nextTick(() => console.log(name, 'tick', step));
  }
}
walk('a');
walk('b');
