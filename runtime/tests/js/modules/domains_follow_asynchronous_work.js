'use strict';
// An error in anything that began inside a domain goes to its 'error' listener.
const domain = require('domain');
const fs = require('fs');

const starts = {
  timer: (fail) => setTimeout(fail, 1),
  immediate: (fail) => setImmediate(fail),
  tick: (fail) => process.nextTick(fail),
  promise: (fail) => Promise.resolve().then(() => setImmediate(fail)),
  file: (fail) => fs.stat(__filename, fail),
};

function next(names) {
  const [name, ...rest] = names;
  if (name === undefined) return;
  const own = domain.create();
  own.name = name;
  own.on('error', (error) => {
    console.log(name, error.message, error.domain === own, error.domainThrown, process.domain);
    next(rest);
  });
  own.run(() => starts[name](() => {
    console.log('inside', process.domain.name);
    throw new Error(`from ${name}`);
  }));
}
console.log(process.domain);
next(Object.keys(starts));
