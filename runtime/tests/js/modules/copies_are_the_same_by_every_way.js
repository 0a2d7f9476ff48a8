'use strict';
// Plain values take a short way through v8.serialize and structuredClone; what asks the program
// takes another, also from the middle of a value. The classes always take the long one.
const v8 = require('v8');
const { receiveMessageOnPort } = require('worker_threads');

class Point {
  constructor() { this.x = 1; }
}
class Secret {
  #hidden = 1;
  shown = 2;
  read() { return this.#hidden; }
}
const circle = { list: [1] };
circle.list.push(circle, circle.list);
const named = Object.assign([1, 2], { name: 'n' });
const shrunk = { a: 1, b: 2, c: 3 };
delete shrunk.b;
const many = [];
for (let i = 0; i < 300; i++) many.push({ i, next: many[i - 1], text: 'x'.repeat(i) });
let deep = [];
for (let i = 0; i < 400; i++) deep = [deep];
let changes = 0;
const values = [
  undefined, null, true, false, 0, -0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 1.5, NaN, Infinity,
  '', 'a', 'é', '€', 'a'.repeat(200), `${'€'.repeat(70)}\ud800`, 'part of €'.slice(0, 4),
  'rope'.repeat(3000) + 'end',
  0n, 1n, -1n, 2n ** 63n, -(2n ** 63n), 2n ** 200n,
  {}, [], { a: 1, b: { c: [1, 2.5, 'x'] } }, [1, 2], [1.5, 2], [1, 'a'], [undefined], [-0],
  [1, , 3], new Array(3), named,
  { 2: 'b', z: 1, 1: 'a', 4294967294: 1, 4294967295: 1, '-1': 1, '01': 1 },
  { é: 1, '€': 2 }, { a: undefined }, { __proto__: null, a: 1 }, { ['__proto__']: 1 },
  shrunk, circle, many, deep, new Point(), new Secret(),
  Object.defineProperty({ a: 1 }, 'b', { value: 1 }), { [Symbol.iterator]: 1, a: 1 },
  { [Symbol('s')]: 1, a: 1 }, Object.freeze({ a: [1] }),
  new Date(0), new Date(NaN), /a\/b/gi, /\n/su, new RegExp(''), /x/dy,
  new Map([[1, { a: 1 }], [{}, new Map()]]), new Set([1, 'a', new Set()]), new Map([[-0, 1]]),
  new String('s€'), new Number(-0), new Boolean(true), Object(5n),
  new ArrayBuffer(3), new ArrayBuffer(2, { maxByteLength: 4 }), new Uint8Array([1, 2, 3]),
  new Float64Array([1, NaN]), new DataView(new ArrayBuffer(4), 1, 2), Buffer.from('bytes'),
  new Int16Array(new ArrayBuffer(8), 2, 2), [new Uint8Array(2), new BigInt64Array(1)],
  new Uint8ClampedArray(1), new Uint8Array(0), Buffer.alloc(0), Buffer.from('abc').subarray(1),
  new Error('e'), new TypeError('t', { cause: [1] }),
  { get a() { return 1; } }, { a: {}, get b() { return [this.a]; } },
  { a: { get b() { changes++; return changes; } }, c: 1 },
  new Proxy({}, {}), () => 1, Symbol('s'), [() => 1], { a: { b: new WeakMap() } },
  Promise.resolve(), globalThis, new (class extends Map { extra = 1; })([[1, 2]]),
  (function () { return arguments; })(1),
  [new DataView(new ArrayBuffer(3), 1), { get a() { return new DataView(new ArrayBuffer(1)); } }],
];
const attempt = (action) => {
  try {
    return { value: action() };
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
};
const byClass = (value) => {
  const writer = new v8.DefaultSerializer();
  writer.writeHeader();
  writer.writeValue(value);
  return writer.releaseBuffer();
};
const readByClass = (bytes) => {
  const reader = new v8.DefaultDeserializer(bytes);
  reader.readHeader();
  return reader.readValue();
};
const isSame = (one, other) => byClass(one).equals(byClass(other));
const isGetter = (value) => value?.a && Object.getOwnPropertyDescriptor(value.a, 'b')?.get;
const { port1, port2 } = new MessageChannel();
const post = (value) => {
  port1.postMessage(value);
  return receiveMessageOnPort(port2).message;
};
values.forEach((value, i) => {
  const first = attempt(() => v8.serialize(value));
  const second = attempt(() => byClass(value));
  if (first.error !== second.error) console.log(i, 'errors differ', first, second);
  if (first.error) return;
  if (!first.value.equals(second.value) && !isGetter(value)) {
    console.log(i, 'bytes differ', first, second);
  }
  const copies = [v8.deserialize(first.value), readByClass(first.value)];
  if (!isSame(...copies)) console.log(i, 'copies differ', copies);
  const clone = attempt(() => structuredClone(value));
  if (clone.error) console.log(i, clone.error);
  else if (!(value instanceof Error) && !isGetter(value) && !Buffer.isBuffer(value) &&
      !isSame(clone.value, copies[0])) {
    console.log(i, 'the clone differs', clone.value, copies[0]);
  }
  if (isGetter(value)) return; // it may be asked more than once
  const posted = attempt(() => post(value));
  if (posted.error !== clone.error) console.log(i, 'the message', posted.error);
  else if (!(value instanceof Error) && !isSame(posted.value, clone.value)) {
    console.log(i, 'the message differs', posted.value, clone.value);
  }
});
console.log('changed', changes);
port1.close();

// Damaged in one place, or cut.
let right = 0;
const wrong = new Map();
const sample = values.filter((value) => value !== globalThis && !isGetter(value) &&
  attempt(() => v8.serialize(value)).value?.length < 500);
sample.push(sample.slice(20));
let seed = 1;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
for (const value of sample) {
  const bytes = v8.serialize(value);
  for (let i = 0; i < 48; i++) {
    const damaged = Buffer.from(bytes);
    if (i % 6 > 0) damaged[random(bytes.length)] = i % 6 === 1 ? random(256) : 34 + random(90);
    const part = i % 6 === 0 ? damaged.subarray(0, random(bytes.length)) : damaged;
    const [first, second] = [attempt(() => v8.deserialize(part)),
      attempt(() => readByClass(part))];
    if (first.error !== second.error || (!first.error && !isSame(first.value, second.value))) {
      console.log('differs', part.toString('hex').slice(0, 100), first.error, second.error);
    }
    if (first.error === undefined) right++;
    else wrong.set(first.error, (wrong.get(first.error) ?? 0) + 1);
  }
}
console.log(right > 100, wrong.size > 1);
