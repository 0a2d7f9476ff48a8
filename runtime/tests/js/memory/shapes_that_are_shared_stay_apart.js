'use strict';
// Results of iterators, functions and promises begin with what all of their kind share.
const { next } = [1, 2][Symbol.iterator]();
const iterator = [1, 2, 3][Symbol.iterator]();
const result = iterator.next();
result.extra = 1;
result.value = 5;
delete result.done;
console.log(result, Object.getOwnPropertyDescriptors(iterator.next()));
console.log(Object.isFrozen(Object.freeze(iterator.next())), iterator.next(), typeof next);

function named(a, b) { return a + b; }
named.own = 1;
console.log(named.length, named.name, Object.getOwnPropertyDescriptor(named, 'name'));
delete named.name;
delete named.length;
console.log(named.name, named.length, Object.hasOwn(named, 'length'), named.own);
console.log(Object.getOwnPropertyDescriptors((one) => one));
class Named { static method() {} static name = 4; }
console.log(Named.name, Object.getOwnPropertyNames(Named), Named.method.name);
console.log(Object.getOwnPropertyNames(async () => {}));
console.log(Object.getOwnPropertyNames(function* () {}));

const promise = Promise.resolve(1);
for (const name of ['a', 'b', 'c', 'd']) promise[name] = name;
delete promise.b;
console.log(Object.keys(promise), { ...promise });
class Own extends Promise {
  constructor(run) {
    super(run);
    this.made = true;
  }
}
console.log(new Own(() => {}).made, Own.resolve(4).then(() => {}).made);
console.log(Object.isExtensible(Object.preventExtensions(Promise.resolve())));
const bare = Object.setPrototypeOf(Promise.resolve(2), null);
bare.late = 1;
console.log(Object.keys(bare), Object.getOwnPropertySymbols(bare).length);

const names = ['a', '1', '01', '-1', '1e3', '2147483647', '2147483648', '4294967294',
  '4294967295', 'length'];
const object = {};
for (const name of names) object[name] = name;
console.log(names.every((name) => object[name] === name), Object.keys(object));
console.log(object['len' + 'gth'], object[1], object[2 ** 31], [7][['0'][0]]);
