'use strict';
// Plain values take a short way through JSON; what is not plain takes the engine's, also from the
// middle of a value.
const show = (title, action) => {
  try {
    console.log(title, action());
  } catch (error) {
    console.log(title, error.name);
  }
};
const texts = [
  '{}', '[]', ' { "a" : [ 1 , -2 , 3.5 , 1e3 , -0 , 0 ] } ', '"a\\n\\"\\\\\\/b"',
  '"\\u0041\\u20ac"', '"é"',
  '{"é":1,"b":"ü"}', '{"2":1,"1":2,"a":3,"0":4}', '{"a":1,"a":2}', '{"__proto__":1}',
  '{"toJSON":1}',
  '123456789', '1234567890', '-2147483648', '12345678901234567890', '1.7976931348623157e308',
  '1e999',
  'true', 'false', 'null', ' 1 ', '01', '-', '1.', '1e', '.5', '+1', '[1,]', '{"a":1,}', '{a:1}',
  '[1 2]',
  'tru', 'nulll', '"a', '"\t"', '"\\x"', '"\\', '', ' ', '[', '{', '{"a"', '{"a":', '1 1', '[1]]',
  '\u00a01', '\0',
  '[' .repeat(300) + ']'.repeat(300), '"\ud83d"', '"€"',
];
for (const text of texts)
  show(escape(text.slice(0, 40)), () => JSON.stringify(JSON.parse(text)));
show('minus zero', () => Object.is(JSON.parse('-0'), -0));
show('own __proto__', () => Object.getOwnPropertyNames(JSON.parse('{"__proto__":{"x":1}}')));
show('part of a string', () => JSON.parse(`${'x'.repeat(9000)}[12345]`.slice(9000))[0]);

const circle = { a: [1] };
circle.a.push(circle);
let deep = [];
for (let i = 0; i < 500; i++) deep = [deep];
const holes = [1, , 3];
const named = [1, 2];
named.name = 1;
const shrunk = { a: 1, b: 2, c: 3 };
delete shrunk.b;
const hidden = Object.defineProperty({ a: 1 }, 'b', { value: 2 });
const values = [
  { a: undefined, b: () => 1, c: Symbol('s'), d: null }, [undefined, () => 1, Symbol('s'), NaN,
  -Infinity, -0],
  { get a() { return 1; } }, { toJSON: () => 'own' }, { a: { toJSON: 1 } }, new Date(0),
  [new Date(0)], /x/,
  new Map([[1, 2]]), new Proxy({ a: 1 }, {}), [new Proxy([1], {})], Object.create({ a: 1 }),
  Object.create(null),
  Object.assign(Object.create(null), { a: 1 }), { b: 1, 3: 1, a: 1, 1: 1, 4294967294: 1,
  4294967295: 1 }, holes, named,
  shrunk, hidden, { [Symbol('s')]: 1, a: 1 }, '\b\t\n\v\f\r\0\x1f\x7f"\\/', { '"\n': 1 }, '€',
  ['é', 'ab€'], '\ud800',
  ['x'.repeat(3)], 'x'.repeat(5000) + '"', new String('s'), [new Number(1), new Boolean(false)],
  new Uint8Array(2),
  [1.5, 1e21, 1e-7, 123456789012, -2147483648, 2147483647], circle, { n: 10n },
  'a'.concat('b'.repeat(9000)).length,
  [1, [2, [3, { x: [] }]]], { '': 1 }, class { static x = 1; }, new (class A { x = 1; })(),
  (function () { return arguments; })(1, 2),
];
values.forEach((value, i) => show(i, () => {
  const text = JSON.stringify(value);
  return text && text.length > 80 ? text.length : text;
}));
show('deep', () => JSON.stringify(deep).length);
show('with a replacer', () => JSON.stringify({ a: 1, b: [1] }, (key,
  value) => (key === 'a' ? 2 : value)));
show('with names and room', () => JSON.stringify({ a: 1, b: [1] }, ['b'], 1));
show('with a reviver', () => JSON.parse('{"a":[1,2]}', (key,
  value) => (key === '1' ? 5 : value)).a);
Array.prototype.toJSON = function () { return 'array'; };
show('arrays by toJSON', () => JSON.stringify({ a: [1] }));
delete Array.prototype.toJSON;
Object.prototype.toJSON = function () { return 'object'; };
show('objects by toJSON', () => JSON.stringify([{ a: 1 }]));
delete Object.prototype.toJSON;
Object.defineProperty(Array.prototype, '0', { set() { console.log('a setter was called'); },
  configurable: true });
show('elements are defined', () => JSON.parse('[7]')[0]);
delete Array.prototype[0];
