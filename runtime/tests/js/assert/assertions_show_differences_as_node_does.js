'use strict';
// The words of failed assertions: lines that differ, lines that are left out, the call itself.
const assert = require('assert');
const { createHash } = require('crypto');

function messageOf(work) {
  try {
    work();
    return 'nothing thrown';
  } catch (error) {
    return error.message;
  }
}

const show = (a, b, name = 'deepStrictEqual') =>
  console.log(messageOf(() => assert[name](a, b)).split('\n').slice(1).join('|'));

function numbers(count, places, value) {
  const list = Array.from({ length: count }, (_, i) => i + 10);
  for (const place of places) list[place] = value;
  return list;
}
for (let n = 3; n <= 9; n++) {
  show(numbers(n, [n - 1], 1), numbers(n, [n - 1], 2));
  show(numbers(n, [0], 1), numbers(n, [0], 2));
  show(numbers(n, [0, n - 1], 1), numbers(n, [0, n - 1], 2));
}
show(numbers(40, [10, 20, 30], 1), numbers(40, [10, 20, 30], 2));
show(numbers(60, [], 0), numbers(60, [], 0).map((x) => -x));
show([1, 2, 3, 4], [2, 3, 4, 5]);
show([1, 2, 3], [1, 2]);
show({ a: 1, c: 3 }, { a: 1, b: 2, c: 3 });
for (const [a, b] of [['hello world foo', 'hello world bar'], ['multi\nline', 'multi\nline2'],
  [0, -0], [NaN, 0], [new Error('a'), new Error('b')], [Symbol('a'), Symbol('a')], [[], []],
  [new Set([1]), new Set([2])], ['x'.repeat(90), 'y'], [null, undefined]]) {
  for (const name of ['strictEqual', 'deepStrictEqual', 'deepEqual', 'notStrictEqual'])
    show(a, b, name);
}
show(numbers(60, [], 0), numbers(60, [], 0), 'notDeepStrictEqual');
show(null, undefined, 'notDeepEqual');

// Values by chance, the same in every run: the messages are many, so their digests are shown.
let seed = 7;
function chance(below) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % below;
}
function value(depth) {
  const kind = chance(depth > 0 ? 9 : 5);
  if (kind > 6) {
    return Object.fromEntries(Array.from({ length: chance(6) + 1 },
      () => ['abcdefgh'[chance(8)], value(depth - 1)]));
  }
  if (kind > 4) return Array.from({ length: chance(7) }, () => value(depth - 1));
  return [chance(3), 'str'.repeat(chance(30)), null, chance(2) === 1, undefined][kind];
}
function changed(from) {
  if (chance(4) === 0 || typeof from !== 'object' || from === null) return value(1);
  if (Array.isArray(from))
    return from.map((one) => (chance(4) ? one : changed(one))).slice(chance(2));
  const entries = Object.entries(from).filter(() => chance(6));
  return Object.fromEntries(entries.map(([key, one]) => [key, chance(4) ? one : changed(one)]));
}
for (let round = 0; round < 10; round++) {
  const all = createHash('sha256');
  for (let i = 0; i < 20; i++) {
    const a = value(3);
    const b = changed(a);
    for (const name of ['deepStrictEqual', 'strictEqual', 'notDeepStrictEqual', 'deepEqual',
      'notDeepEqual', 'equal']) all.update(messageOf(() => assert[name](a, b)));
  }
  console.log(all.digest('hex'));
}

const { strict, ok } = assert;
for (const call of [() => assert(0), () => assert.ok(null, undefined), () => strict.ok(
  typeof 123 === 'string'
), () => { assert(true); assert(false); }, () => ok(''), () => assert['ok'](0),
() => assert?.ok(0), () => require('assert').ok(0), () => assert(...[0]),
() => eval('assert(0)'), () => [false].forEach(assert), () => assert((() => Boolean('(' === 1))()),
() => { Error.stackTraceLimit = 0; assert(0); }]) console.log(messageOf(call));
Error.stackTraceLimit = 10;

// Expectations of what is thrown.
const thrown = (what, ...expected) => console.log(messageOf(() => assert.throws(() => {
  throw what;
}, ...expected)));
thrown(new TypeError('foobar'), { message: /fooa/, name: /^TypeError$/ });
thrown(null, { message: 'foo' });
thrown('foo', 'foo');
thrown(new Error('foo'), 'foo');
thrown(new Error('foo'), 'bar', 'baz');
thrown(new Error('foo'), 5);
thrown(Symbol('foo'), RangeError);
thrown(new TypeError('x'), RangeError);
thrown(new TypeError('x'), { message: 'y' }, 'my message');
console.log(messageOf(() => new assert.AssertionError(1)));

// What is deeply equal, and what is not.
const equal = (a, b) => console.log(['deepEqual', 'deepStrictEqual'].map((name) =>
  messageOf(() => assert[name](a, b)) === 'nothing thrown').join(' '));
equal(new Map([[1, 'a'], ['1', 'b']]), new Map([['1', 'a'], [true, 'b']]));
equal(new Error('e', { cause: 1 }), new Error('e', { cause: 2 }));
equal(new AggregateError([1], 'e'), new AggregateError([2], 'e'));
const a = {};
a.a = a;
equal(a, { a: { a } });
equal(Object.assign(new Date(5), { getTime: undefined }), new Date(5));
equal(Object.defineProperty(new Date(5), 'getTime', { value: () => 7 }), new Date(5));
equal(Object.defineProperty(new String('x'), 'valueOf', { value: () => 7 }), new String('x'));
