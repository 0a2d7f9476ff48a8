'use strict';
// The engine keeps lists of names for the objects that may come; they must not keep prototypes.

require('v8').setFlagsFromString('--expose-gc');
const gc = require('vm').runInNewContext('gc');
const seen = [];
for (let i = 0; i < 40; i++) {
  const prototype = { number: i };
  const one = Object.create(prototype);
  one.first = 1;
  one.second = 2;
  delete one.first;
  seen.push(new WeakRef(prototype));
}
setTimeout(() => {
  gc();
  setTimeout(() => {
    gc();
    const alive = seen.filter((one) => one.deref() !== undefined).length;
    console.log(alive <= 1 ? 'collected' : `${alive} are alive`);
  }, 1);
}, 1);
