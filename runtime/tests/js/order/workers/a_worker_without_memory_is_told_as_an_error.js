'use strict';
const { Worker, isMainThread, workerData } = require('worker_threads');

function eat() {
  const all = [];
  for (;;) all.push([all, `text ${Math.random()}`]);
}

function next(kinds) {
  if (kinds.length === 0) return;
  const [[kind, limits], ...rest] = kinds;
  const worker = new Worker(__filename, { workerData: kind, resourceLimits: limits });
  worker.on('error', (error) => console.log(kind, error.code, error.message));
  worker.on('exit', () => next(rest));
}

if (isMainThread) {
  const few = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
  next([['nothing', { maxOldGenerationSizeMb: 0, maxYoungGenerationSizeMb: 0 }], ['at once', few],
    ['later', few], ['in a promise', few]]);
} else if (workerData === 'later') {
  setTimeout(eat, 1);
} else if (workerData === 'in a promise') {
  Promise.resolve().then(eat);
} else if (workerData === 'at once') {
  eat();
} else {
  setInterval(() => {}, 1);
}
