'use strict';
// showHidden: getters and values of the prototypes that a program made, of three of them at most.

const { inspect, format } = require('util');

class A {
  get a() { return 1; }
  method() {}
}
A.prototype.data = 5;
A.prototype.made = function made() {};
A.prototype[Symbol('s')] = 1;
Object.defineProperty(A.prototype, 'hidden', { value: { deep: 1 } });
class B extends A {
  get a() { return 2; }
  get b() { return this; }
  get fails() { throw new Error('not told'); }
}
class C extends B { get c() { return 1; } }
class D extends C { get d() { return 1; } }
function Old() { this.q = 1; }
Old.prototype = { x: 1, get y() { return 1; } };
class OwnMap extends Map { get size2() { return 1; } }
class OwnArray extends Array { get first() { return this[0]; } }
class OwnDate extends Date { get day() { return 1; } }
class OwnPromise extends Promise { get then2() { return 1; } }
class Tagged { get [Symbol.toStringTag]() { return 'T'; } get w() { return 1; } }

const hides = new B();
Object.defineProperty(hides, 'a', { value: 9 });
const values = [new A(), new B(), new C(), new D(), hides, Object.create(A.prototype), new Old(),
  Object.create({ x: 1 }), new OwnMap([[1, 2]]), new OwnArray(1, 2, 3), new OwnDate(0),
  OwnPromise.resolve(4), new Tagged(), new (class { get k() { return 1; } })(), B,
  Object.create(Object.create(null)), new Proxy(new A(), {}), new Uint8Array(2).subarray(1)];
for (const value of values) {
  console.log(inspect(value, { showHidden: true }));
  console.log(inspect(value, { showHidden: true, getters: true }));
}
console.log(inspect({ inner: new A() }, { showHidden: true, depth: 0 }));
console.log(inspect(new C(), { showHidden: true, sorted: true, compact: false }));
console.log(JSON.stringify(inspect(new D(), { showHidden: true, colors: true })));
console.log(format('%o', new A()));
for (const given of [undefined, null, 5, 'text', []]) {
  try {
    console.log(require('util').formatWithOptions(given, '%s', { a: 1 }));
  } catch (error) {
    console.log(error.message);
  }
}
try {
  format('%j', { toJSON() { throw new Error('Not a circular object, but no text'); } });
} catch (error) {
  console.log(error.message);
}
