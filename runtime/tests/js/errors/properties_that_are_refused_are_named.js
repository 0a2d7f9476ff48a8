'use strict';
// What V8 says of properties that can't be set, added or deleted, and of a few other mistakes.

function show(name, work) {
  try {
    work();
    console.log(name, 'works');
  } catch (error) {
    console.log(name, error.name, error.message);
  }
}

class Foo {}
class Bar extends Foo {}
class Tagged { get [Symbol.toStringTag]() { return 'T'; } }
const things = { foo: new Foo(), bar: new Bar(), plain: {}, none: Object.create(null),
  anonymous: new (class {})(), map: new Map(), array: [], arrow: () => 1, named: function q() {},
  class: class K {}, date: new Date(0), pattern: /x/, promise: Promise.resolve(),
  tagged: new Tagged(), number: Object(5), string: Object('s'), bytes: new Uint8Array(1), Math,
  prototype: Foo.prototype, made: Object.create(new Foo()), odd: { constructor: 5 },
  told: { constructor: Foo } };
for (const [name, value] of Object.entries(things)) {
  Object.defineProperty(value, 'a', { value: 1 });
  Object.defineProperty(value, 'g', { get() { return 1; } });
  show(name, () => { value.a = 2; });
  show(name, () => { value.g = 2; });
  show(name, () => { delete value.a; });
  if (value === Math) continue;
  Object.preventExtensions(value);
  show(name, () => { value.z = 2; });
  show(name, () => { value[Symbol('s')] = 2; });
  show(name, () => Object.defineProperty(value, 'z', {}));
}
for (const method of ['push', 'pop', 'shift', 'unshift', 'sort', 'reverse', 'fill']) {
  show(method, () => Object.freeze([2, 1])[method](undefined, 1));
}
show('text', () => { 'abc'.length = 1; });
show('text', () => { 'abc'.foo = 1; });
show('number', () => { (5).foo = 1; });
show('true', () => { true.foo = 1; });
show('bigint', () => { 5n.foo = 1; });
show('inherited', () => { Object.create(Object.freeze({ a: 1 })).a = 2; });
show('inherited getter', () => { Object.create({ get v() { return 1; } }).v = 1; });
show('assign', () => Object.assign(Object.freeze({ a: 1 }), { a: 2 }));
show('process', () => { delete process.exitCode; });
console.log(process.constructor.name, require('util').inspect(process, { depth: -1 }));
console.log(Reflect.set(Object.freeze({ a: 1 }), 'a', 2), Reflect.deleteProperty(things.foo, 'a'));

show('proto', () => {
  const below = {};
  Object.setPrototypeOf(below, Object.create(below));
});
show('generator', () => {
  let it;
  function* run() { it.next(); }
  it = run();
  it.next();
});
show('date', () => Date.prototype.getTime.call({}));
show('primitive', () => `${{ toString() { return {}; }, valueOf() { return {}; } }}`);
show('divide', () => 1n / 0n);
show('shift', () => 1n >>> 0n);
show('plus', () => +1n);
const chain = new Promise((resolve) => { setImmediate(() => resolve(chain)); });
chain.catch((error) => console.log(error.name, error.message));
