'use strict';
const seen = [];
const add = (name) => {
  seen.push(name);
  if (seen.length === 2) console.log(seen.sort().join());
};
setTimeout(() => add('timeout'), 0);
setImmediate(() => add('immediate'));
