'use strict';
// Iterators of maps and sets show what is left, and looking takes nothing from them.
const { inspect } = require('util');

const map = new Map([['a', 1], ['b', { deep: [1, 2] }], ['c', 3]]);
const set = new Set(['x', 'y']);
console.log(map.keys(), map.values(), map.entries(), map[Symbol.iterator]());
console.log(set.keys(), set.values(), set.entries());

const some = map.keys();
some.next();
console.log(some, some);
map.delete('b');
console.log(some, [...some], some);
console.log(new Map().keys(), new Set().entries());
console.log(inspect(map.keys(), { maxArrayLength: 1 }), inspect({ a: { b: { c: set.keys() } } }));
console.log(inspect(Object.assign(set.values(), { extra: true })));
console.table(map.entries());
console.table(set.values());
console.log(new String('text'), inspect(new String('text'), { showHidden: true }));
