// At top level: which comes first, a timeout of 0 or an immediate?
// Run without an argument it repeats itself in children and says which orders occur.
'use strict';
const { spawnSync } = require('child_process');

function spin(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function puzzle(how) {
  setTimeout(function timeout() { console.log('timeout'); }, 0);
  setImmediate(function immediate() { console.log('immediate'); });
  if (how === 'late') spin(5);
}

function repeat(how, times) {
  const orders = {};
  for (let i = 0; i < times; i++) {
    const child = spawnSync(process.execPath, [__filename, how], { encoding: 'utf8' });
    const order = child.stdout.trim().split('\n').join(', ');
    orders[order] = (orders[order] || 0) + 1;
  }
  return orders;
}

if (process.argv[2]) {
  puzzle(process.argv[2]);
} else {
  const legal = ['timeout, immediate', 'immediate, timeout'];
  const plain = repeat('plain', 10);
  console.log('plain: one of the two legal orders each time:',
    Object.keys(plain).every((order) => legal.includes(order)));
  console.log('the loop starts late:', repeat('late', 10));
  console.error('plain:', plain); // differs from run to run, so it is not part of the output
}
