'use strict';
// needs: callees
// What is called, constructed or iterated and can't be is named as the source has it.
const o = { b: {}, a: [], f() { return {}; }, n: 5 };
let u;
const key = 'key';
const list = [1];
class A {
  again() { this.nope(1, 2); }
  above() { super.nope(); }
  static own() { A.x.y(); }
}
const tell = (error) => console.log(`${error.name}: ${error.message}`);
const each = (...works) => works.forEach((work) => {
  try {
    work();
    console.log('nothing thrown');
  } catch (error) {
    tell(error);
  }
});
each(() => u(), () => o.x(), () => o.b.c(), () => o.b.c.d(), () => o[key](), () => o['zz'](),
  () => o.a[0](), () => o.a[key](1, 2), () => o.f()(), () => o.f().x(), () => o.f(1, 2).x(3),
  () => new A().again(), () => new A().above(), () => A.own(), () => o.n(), () => (1)(),
  () => 's'(), () => (() => 5)()(), () => list[0](), () => o.length(), () => o.f().g.h.i());
each(() => new u(), () => new o.x(1, 2), () => new o.n(), () => u(...list), () => o.x(...list),
  () => o.b.x(1, ...list), () => new u(...list), () => u`x`, () => o.x`y`, () => o.x?.());
each(() => o.x(o.n ? 1 : 2, 3), () => o.x(o.n && 1, u || 2, u ?? 3),
  () => u(o.n ? o.f() : o.f(1), `a${1}b`), () => o.x(function() {}, class {}, [1], { a: 1 }, /x/),
  () => o.x(typeof u, !u, -1, u === 1), () => { o.y = o.x(); }, () => `x${u()}`,
  () => { if (o.n) o.x(); }, () => { try { o.x(); } finally { o.n; } },
  () => { const { a } = o; a(); }, () => ((a, b) => b.c())(1, {}), () => eval('u()'),
  () => { for (;;) { o.lab(); break; } }, () => { let i = 0; o.x(i++, ++i); });
each(() => { for (const x of u); }, () => { for (const x of o.b); }, () => [1].map(5),
  () => [1].map(), () => [1].forEach({}), () => [1].map('abc'), () => new Promise(5),
  () => { class B extends u {} }, () => { class B extends o.n {} }, () => new Symbol());
each(() => { x; let x; }, () => { const c = 1; c = 2; }, () => new Date(NaN).toISOString(),
  () => JSON.stringify(1n), () => +Symbol(), () => 'a'.normalize('x'), () => [].reduce((a) => a),
  () => ({}) instanceof o.b, () => new WeakMap([[1, 1]]), () => new WeakSet([1]),
  () => new (class extends Object { constructor() { this.x; } })(), () => 'x'.repeat(2 ** 29),
  () => 'x'.padEnd(2 ** 30), () => new Array(-1), () => 'x'.repeat(-1));
const loop = {};
loop.loop = loop;
try {
  JSON.stringify(loop);
} catch (error) {
  console.log(error.message.split('\n')[0]);
}
(async () => { await u(); })().catch(tell);
Promise.resolve().then(() => o.x()).catch(tell);
(async () => { for await (const x of 5); })().catch(tell);
