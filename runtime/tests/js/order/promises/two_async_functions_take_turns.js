'use strict';
async function walk(name) {
  for (let step = 1; step <= 3; step++) {
    console.log(name, step);
    await null;
  }
  return name;
}
walk('left').then((name) => console.log(name, 'done'));
walk('right').then((name) => console.log(name, 'done'));
console.log('main');
