'use strict';
// What a stack says of a receiver is read without running anything of the program.

let ran = 0;
const loud = { get() { ran++; return 'loud'; } };
const frame = () => new Error('x').stack.split('\n')[2].trim().replace(/\(.*/, '');
function f() { return frame(); }

const traps = new Proxy({}, { get: (_, trap) => () => { ran++; throw new Error(trap); } });
const accessor = {};
Object.defineProperty(accessor, 'constructor', loud);
Object.defineProperty(accessor, 'f', loud);
const tagged = Object.defineProperty({}, Symbol.toStringTag, loud);
function Named() {}
Object.defineProperty(Named, 'name', loud);
const own = function own() { return frame(); };
Object.defineProperty(own, 'name', loud);
const belowProxy = Object.create(new Proxy({ f }, traps));
const deep = [...Array(5000)].reduce((below) => Object.create(below), { constructor: Named });
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const detached = new Uint8Array(8);
structuredClone(detached, { transfer: [detached.buffer] });

console.log(f.call(new Proxy({}, traps)));
console.log(f.call(new Proxy(f, traps)));
console.log(f.call(revoked.proxy));
console.log(f.call(accessor));
console.log(f.call(tagged));
console.log(f.call(new Named()));
console.log(own.call([]));
console.log(f.call(belowProxy));
console.log(f.call(detached));
console.log(f.call({ constructor: 1 }), f.call({ constructor: {} }), f.call({ constructor: null }));
console.log(f.call({ constructor: { name: 'Object with a name' } }));
console.log(typeof f.call(deep));
console.log('ran', ran);

// Receivers that change and go between the error and the first look at its stack.
class Gone { m() { return new Error('x'); } }
let gone = new Gone();
const error = gone.m();
Object.setPrototypeOf(gone, new Proxy({}, traps));
delete Gone.prototype.m;
gone = undefined;
globalThis.gc?.();
console.log(error.stack.split('\n')[1].includes('m ('), 'ran', ran);

// Limits of any kind.
for (const limit of [0, -1, 1.5, NaN, Infinity, '2', null, {}, Symbol('s')]) {
  Error.stackTraceLimit = limit;
  const { stack } = new Error('limit');
  console.log(String(limit), typeof stack === 'string' ? stack.split('\n').length < 20 : stack);
}
Error.stackTraceLimit = 200;
const nested = (n) => (n === 0 ? new Error('deep') : nested(n - 1));
console.log(nested(300).stack.split('\n').length);
