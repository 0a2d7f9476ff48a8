'use strict';
for (const name of ['first', 'second', 'third']) {
  setImmediate(() => {
    console.log(name);
    Promise.resolve().then(() => console.log(name, 'microtask'));
    process.nextTick(() => console.log(name, 'tick'));
  });
}
