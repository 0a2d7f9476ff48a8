'use strict';
function nest(name, depth) {
  console.log(name);
  if (depth === 0) {
    return;
  }
  process.nextTick(() => nest(`${name} tick`, depth - 1));
  Promise.resolve()
    .then(() => nest(`${name} promise`, depth - 1))
    .then(() => console.log(`${name} promise after`));
  queueMicrotask(() => console.log(`${name} microtask`));
  process.nextTick(() => console.log(`${name} second tick`));
}
nest('main', 3);
setImmediate(() => nest('immediate', 2));
