'use strict';
// Frames name the receiver, the method and functions that have no name of their own, as V8 does.

const HERE = new RegExp(`${__dirname}/`, 'g');

function show(label, f) {
  let error;
  try {
    error = f();
    if (!error?.stack) return;
  } catch (thrown) {
    error = thrown;
  }
  const lines = error.stack.split('\n').slice(1).filter((line) => !/node:|\(<native>/.test(line));
  console.log(`${label}:`);
  for (const line of lines.slice(0, 4)) console.log(line.replace(HERE, ''));
}

const err = () => new Error('x');
class A {
  m() { return new Error('x'); }
  static s() { return new Error('x'); }
  get g() { return new Error('x'); }
  set g(v) { throw new Error('x'); }
  #p() { return new Error('x'); }
  q() { return this.#p(); }
  ['comp' + 1]() { return new Error('x'); }
  [Symbol.iterator]() { return new Error('x'); }
  f = () => new Error('x');
  constructor(t) { if (t) throw new Error('c'); }
  static { this.z = new Error('static block'); }
  static #sp() { return new Error('x'); }
  static t() { return this.#sp(); }
  h = function () { return new Error('x'); };
  static async as() { throw new Error('x');}
}
class B extends A {
  m() { return super.m(); }
  static u() { return super.s(); }
  constructor(t) { super(t); }
}
show('class method', () => new A().m());
show('inherited super', () => new B().m());
show('static', () => A.s());
show('static super', () => B.u());
show('static inherited', () => B.s());
show('getter', () => new A().g);
show('computed', () => new A().comp1());
show('symbol', () => new A()[Symbol.iterator]());
show('field arrow', () => new A().f());
show('field fn', () => new A().h());
show('ctor', () => new A(1));
show('ctor derived', () => new B(1));
const o = {
  m() { return new Error('x'); },
  f: function () { return new Error('x'); },
  n: function named() { return new Error('x'); },
  a: () => new Error('x'),
  get g() { return new Error('x'); },
  1() { return new Error('x'); },
  ['a b']() { return new Error('x'); }
};
show('obj method', () => o.m());
show('obj f', () => o.f());
show('obj named', () => o.n());
show('obj arrow', () => o.a());
show('obj getter', () => o.g);
show('obj number', () => o[1]());
show('obj a b', () => o['a b']());
show('array map', () => [1].map(() => { throw new Error('x'); }));
show('forEach', () => [1].forEach(function () { throw new Error('x'); }, {}));
show('forEach this class', () => [1].forEach(function cb() { throw new Error('x'); }, new A()));
show('sort', () => [1, 2].sort(() => { throw new Error('x'); }));
show('reduce', () => [1, 2].reduce(() => { throw new Error('x'); }));
show('from', () => Array.from([1], () => { throw new Error('x'); }));
show('map each', () => new Map([[1, 2]]).forEach(() => { throw new Error('x'); }));
show('set each', () => new Set([1]).forEach(() => { throw new Error('x'); }));
show('typed', () => new Uint8Array(1).map(() => { throw new Error('x'); }));
show('json parse', () => JSON.parse('{"a":1}', () => { throw new Error('x'); }));
show('json stringify', () => JSON.stringify({ toJSON() { throw new Error('x'); } }));
show('replace', () => 'abc'.replace(/b/, () => { throw new Error('x'); }));
show('replace str', () => 'abc'.replace('b', () => { throw new Error('x'); }));
show('replaceAll', () => 'abc'.replaceAll('b', () => { throw new Error('x'); }));
show('promise', () => { let e; new Promise(() => { e = new Error('x'); }); return e; });
show('promise fn', () => { let e; new Promise(function ex() { e = new Error('x'); }); return e; });
show('call', () => err.call(3));
function f() { return new Error('x'); }
show('call prim', () => f.call(3));
show('call str', () => f.call('s'));
show('call sym', () => f.call(Symbol('s')));
show('call null', () => f.call(null));
show('call obj', () => f.call({}));
show('call arr', () => f.call([]));
show('call fn', () => f.call(f));
show('call fn class', () => f.call(A));
show('call map', () => f.call(new Map()));
show('call global', () => f.call(globalThis));
show('call nullproto', () => f.call(Object.create(null)));
show('call err', () => f.call(new Error()));
show('call proxy', () => f.call(new Proxy({}, {})));
show('call date', () => f.call(new Date()));
show('call A', () => f.call(new A()));
show('call tostringtag', () => f.call({ [Symbol.toStringTag]: 'TT' }));
show('call process', () => f.call(process));
show('call Math', () => f.call(Math));
show('call JSON', () => f.call(JSON));
show('call args', () => f.call((function () { return arguments; })()));
show('call bigint', () => f.call(3n));
show('call bool', () => f.call(true));
show('apply', () => f.apply({ k: f }));
show('as', () => ({ k: f }).k());
show('as two', () => ({ k: f, l: f }).k());
show('as A', () => { const a = new A(); a.zz = f; return a.zz(); });
show('reflect.apply', () => Reflect.apply(f, {}, []));
show('reflect.construct', () => Reflect.construct(A, [1]));
show('bind', () => f.bind({ a: 1 })());
show('bind new', () => new (A.bind(null, 1))());
show('anon', () => (function () { return new Error('x'); })());
show('anon call', () => (function () { return new Error('x'); }).call({}));
show('anon member', () =>
  { const q = {}; q.r = function () { return new Error('x'); }; return q.r(); });
show('anon arr', () => [function () { return new Error('x'); }][0]());
show('proxy get', () => new Proxy({}, { get() { return new Error('x'); } }).a);
show('proxy apply', () => new Proxy(f, { apply() { return new Error('x'); } })());
show('proxy construct', () => new (new Proxy(A, { construct() { throw new Error('x'); } }))());
show('generator next', () => (function* gen() { throw new Error('x'); })().next());
show('gen method', () => ({ *gm() { throw new Error('x'); } }).gm().next());
show('iter', () =>
  { for (const x of { [Symbol.iterator]() { return { next() { throw new Error('x'); } }; } }); });
show('assign', () => Object.assign({}, { get a() { throw new Error('x'); } }));
show('entries', () => Object.entries({ get a() { throw new Error('x'); } }));
show('class expr', () => new (class { constructor() { throw new Error('x'); } })());
show('class expr m', () => new (class { m() { throw new Error('x'); } })().m());
show('fn renamed', () => {
  const g = function () { throw new Error('x'); };
  Object.defineProperty(g, 'name', { value: 'renamed' });
  g();
});
show('proto repl', () =>
  { function F() {} F.prototype = { m() { throw new Error('x'); } }; new F().m(); });
show('proto repl fn', () =>
  { function F() {} F.prototype.m = function () { throw new Error('x'); }; new F().m(); });
show('F.static', () => { function F() {} F.m = function () { throw new Error('x'); }; F.m(); });
show('util.inherits', () => {
  function F() {} function G() {} require('util').inherits(F, G);
  F.prototype.m = function () { throw new Error('x'); };
  new F().m();
});
show('Object.create(F.prototype)', () => {
  function F() {} F.prototype.m = function () { throw new Error('x'); };
  Object.create(F.prototype).m();
});
show('emitter', () => {
  const e = new (require('events'))();
  e.on('a', function () { throw new Error('x'); });
  e.emit('a');
});
show('emitter named', () => {
  class E extends require('events') {} const e = new E();
  e.on('a', function ha() { throw new Error('x'); });
  e.emit('a');
});
show('finalizer', () => Object.freeze({ m() { throw new Error('x'); } }).m());
show('class in obj', () =>
  { const ns = { K: class { m() { throw new Error('x'); } } }; new ns.K().m(); });
show('starts with', () => {
  const Foo = {};
  class Foo2 {};
  class Fo { FoBar() { throw new Error('x'); } } new Fo().FoBar();
});
show('module.exports fn', () =>
  { module.exports.zz = function () { throw new Error('x'); }; module.exports.zz(); });
show('nested', () => { const o = { a: { b() { throw new Error('x'); } } }; o.a.b(); });
