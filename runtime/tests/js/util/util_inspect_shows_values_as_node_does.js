'use strict';
console.log({ a: { b: { c: { d: 1 } } } }, [[[[1]]]]);
console.log([1, , 3], [undefined, null], new Array(5));
console.log(Array.from({ length: 120 }, (_, i) => i));
console.log(
  'abcdefghij'.split(''),
  Array.from({ length: 30 }, (_, i) => 'item' + i),
);
console.log({
  'a-b': 1,
  2: 3,
  [Symbol('s')]: 4,
  f() {},
  g: async () => {},
  *h() {},
  get x() {
    return 1;
  },
  set x(v) {},
  get y() {
    return 2;
  },
});
class Foo {
  constructor() {
    this.x = 1;
  }
}
class Bar extends Foo {}
console.log(new Foo(), new Bar(), Foo, Bar, Object.create(null), Object.create({ a: 1 }));
console.log(
  new Map([
    ['a', { b: 1 }],
    [{ x: 1 }, 2],
  ]),
  new Set([1, 'b', { c: 3 }]),
  new WeakMap(),
  new WeakSet(),
);
console.log(
  Promise.resolve(4),
  Promise.reject(new Error('x')).catch(() => {}),
  new Promise(() => {}),
);
console.log(new Uint8Array(3), new ArrayBuffer(4), new Float64Array([1.5, 2]), Buffer.from('hi'));
console.log(
  [new Date(0)],
  /a/g,
  new Number(3),
  new String('abc'),
  new Boolean(false),
  Object(Symbol('q')),
  Object(1n),
);
const o = { name: 'o' };
o.self = o;
o.list = [o];
console.log(o);
console.log('%s %d %i %f %j %o %O %%', 'str', 42.5, 42.5, '3.5', { a: 1 }, [1], { b: 2 }, 'extra', {
  z: 1,
});
console.log("it's", ["it's", 'q"q', `a\nb`, 'both\'"']);
console.log({ long: 'x'.repeat(100), another: 'y'.repeat(50) });
console.log(process.versions.node.split('.').length, typeof globalThis, [
  function foo() {},
  class {},
  () => {},
]);
console.log([1.5, -0, NaN, Infinity], [1n], [true, false], [Symbol.iterator]);
console.log({ a: [{ b: 1 }, { c: 2 }], d: new Map([[1, new Map([[2, 3]])]]) });
console.log([[1, 2, [3, 4, [5, [6]]]], { a: { b: { c: {} } } }]);
console.log(new Proxy({ a: 1 }, {}), new Proxy(function f() {}, {}));
console.log([
  'a'.repeat(20),
  'b'.repeat(20),
  'c'.repeat(20),
  'd'.repeat(20),
  'e'.repeat(20),
  'f'.repeat(20),
  'g'.repeat(20),
]);
console.log(
  Object.assign(() => {}, { a: 1 }),
  Object.assign(function n() {}, { b: 2 }),
);
(function () {
  console.log(arguments);
})(1, 2);
console.log((function* () {})());
console.log(new (class extends Array {})(3), new (class X extends Map {})([[1, 2]]));
console.log({ u: undefined, n: null }, [null], JSON.stringify({ a: [1] }));
const util = require('util');
console.log(
  util.inspect({ a: { b: { c: { d: {} } } } }, { depth: 0 }),
  util.inspect({ a: 1, b: [1, 2] }, { compact: false }),
  util.inspect('x'),
  util.inspect({ a: { b: 1 } }, { depth: null, breakLength: 10 }),
);
console.log(
  util.inspect(new Map([[{ a: 1 }, 'b']]), { showHidden: true }),
  util.format('%s', { a: 1 }),
  util.format('%s', [1, [2]]),
  util.format('%s %s', 'a'),
  util.format(1, 2, '3'),
);
console.log(
  util.format('%s', class A {}),
  util.format('%s', function b() {}),
  util.format('%s', Symbol('a')),
  util.format('%s', 5n),
  util.format('%s', -0),
  util.format('%d', '0x10'),
);
console.log(
  {
    e: 1,
    [util.inspect.custom]() {
      return 'CUSTOM';
    },
  },
  [
    {
      [util.inspect.custom](d, o) {
        return { shown: d };
      },
    },
  ],
);
console.table([
  { a: 1, b: 2 },
  { a: 3, c: 4 },
]);
console.table([1, 2]);
console.group('g');
console.log('in\nner');
console.groupEnd();
console.log('out');
console.count();
console.count('x');
console.count();
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
