'use strict';
// Async functions that wait are frames, as long as each is the only one that waits.

const HERE = new RegExp(`${__dirname}/`, 'g');

const show = (label, error) => {
  const lines = error.stack.split('\n').slice(1).filter((line) => !/node:/.test(line));
  console.log(`${label}:`);
  for (const line of lines.slice(0, 6)) console.log(line.replace(HERE, ''));
};
const tick = () => new Promise((r) => setTimeout(r, 1));
async function thrower() { await null; throw new Error('x'); }
async function mid() { await thrower(); }
async function top() { await mid(); }
class A {
  async m() { await mid(); }
  static async s() { await mid(); }
  async *g() { await mid(); }
  async *g2() { yield 1; await mid(); }
  get x() { return (async () => { await mid(); })(); }
  async ['a b']() { await mid(); }
  async #p() { await mid(); }
  q() { return this.#p(); }
}
const tests = {
  top, anon: async function () { await mid(); }, arrow: async () => { await mid(); },
  method: () => new A().m(), static: () => A.s(),
  async gen() { for await (const x of new A().g()); },
  async gen2() { for await (const x of new A().g2()); },
  async all() { await Promise.all([1, mid()]); },
  async allSettled() { const r = await Promise.allSettled([mid()]); throw r[0].reason; },
  async any() { try { await Promise.any([mid()]); } catch (e) { throw e.errors[0]; } },
  async race() { await Promise.race([mid()]); },
  async then() { await mid().then(() => 1); },
  async thenCb() { await tick().then(() => { throw new Error('x'); }); },
  async thenCbNamed() { await tick().then(function cb() { throw new Error('x'); }); },
  async thenThen() { await tick().then(() => 1).then(() => { throw new Error('x'); }); },
  async catchCb() { await Promise.reject(1).catch(() => { throw new Error('x'); }); },
  async ret() { return mid(); },
  async retAwait() { const f = async () => mid(); await f(); },
  async retP() { await (async () => { return tick().then(() => { throw new Error('x'); }); })(); },
  getter: () => new A().x,
  odd: () => new A()['a b'](),
  priv: () => new A().q(),
  async sync() { throw new Error('x'); },
  async awaitSync() { await (async function inner() { throw new Error('x'); })(); },
  async newPromise2() {
    await new Promise((r) => { mid().then(r, r); }).then((e) => { throw e; });
  },
  async resolveWith() { await new Promise((r) => r(mid())); },
  async two() { const p = mid(); p.catch(() => 0); await p; },
  async twoAwait() {
    const p = mid();
    const a = (async () => { try { await p; } catch {} })();
    await p;
  },
  async afterTick() { await tick(); throw new Error('x'); },
  async nestedSync() { await tick(); (function deep() { throw new Error('x'); })(); },
  async thenable() { await { then(r) { throw new Error('x'); } }; },
  async loop() { for await (const x of [mid()]); },
  async micro() { await new Promise((r, j) => queueMicrotask(() => { j(new Error('x')); })); },
  async nextTick() { await new Promise((r, j) => process.nextTick(() => { j(new Error('x')); })); },
  async callObj() { await (async function f() { await mid(); }).call({}); },
  async callNum() { await (async function f() { await mid(); }).call(3); },
  async bound() { await (async function f() { await mid(); }).bind({})(); },
  async inferred() { const o = {}; o.a = async function () { await mid(); }; await o.a(); },
  async rej() { await Promise.reject(new Error('x')); },
  async allNested() { await Promise.all([Promise.all([mid()])]); },
  async genNext() { const g = new A().g(); await g.next(); },
  async timers() { await require('timers/promises').setTimeout(1); throw new Error('x'); },
  async fs() { await require('fs/promises').readFile('/nonexistent'); },
  async fromAsync() { await mid().then(undefined, (e) => { throw e; }); },
  async constructorAsync() { class Z { constructor() { this.p = mid(); } } await new Z().p; },
  async tryFinally() { try { await mid(); } finally { await tick(); } },
};
(async function main() {
  for (const k of Object.keys(tests)) {
    try {
      await tests[k]();
    } catch (error) {
      show(k, error);
    }
  }
})();
