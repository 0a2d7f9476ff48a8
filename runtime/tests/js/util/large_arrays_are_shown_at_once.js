'use strict';
// What arrays have besides their elements, and that nobody looks at each of these to find it.
const { inspect } = require('util');

const named = (target) => {
  Object.assign(target, { name: 'x', 'with-dash': 1, [Symbol('s')]: 2 });
  return Object.defineProperty(target, 'hidden', { value: 3, configurable: true });
};
const samples = { plain: named([1, 2, 3]), holes: named([1, , 3]), typed: named(new Uint16Array(2)),
  bytes: named(Buffer.from('abc')), none: named(Buffer.alloc(0)), frozen: Object.freeze([1]),
  deleted: named([1]), proxy: new Proxy(named([1]), {}), far: named([]) };
delete samples.deleted.name;
samples.far[2 ** 31] = 1;
for (const [name, value] of Object.entries(samples)) {
  console.log(name, inspect(value));
  if (name !== 'typed') console.log(name, inspect(value, { showHidden: true }));
}
console.log(samples.bytes.inspect());

const SIZE = 1e7;
for (const large of [Buffer.alloc(SIZE), new Float32Array(SIZE), Array(SIZE)]) {
  large.name = 'large';
  for (let i = 0; i < 10; i++) inspect(large);
  console.log(inspect(large).slice(-40));
}
