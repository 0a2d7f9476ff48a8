'use strict';
// Call sites have the facts of V8's.

const sitesOf = (f) => {
  const before = Error.prepareStackTrace;
  // Frames of the runtime's own files are its own affair.
  Error.prepareStackTrace = (_, sites) =>
    sites.filter((site) => !/^node:/.test(site.getFileName() ?? ''));
  try {
    const made = f();
    return made.stack ?? made;
  } finally {
    Error.prepareStackTrace = before;
  }
};
const facts = (site) => [site.getTypeName(), site.getFunctionName(), site.getMethodName(),
  site.isToplevel(), site.isConstructor(), site.isAsync(), site.isPromiseAll(),
  site.getPromiseIndex(), site.isEval(), site.isNative(), site.getThis(), site.getFunction()];

const make = () => new Error('x');
class A {
  m() { return make(); }
  static s() { return make(); }
  get g() { return make(); }
  constructor(t) { if (t) this.error = make(); }
}
const o = { k: function named() { return make(); }, a: () => make() };
for (const f of [() => new A().m(), () => A.s(), () => new A().g, () => o.k(), () => o.a(),
  () => new A(1).error, () => [1].map(make)[0], () => make.call(3)]) {
  console.log(facts(sitesOf(f)[1]), facts(sitesOf(f)[0]).slice(0, 4));
}

async function thrower() { await null; throw new Error('x'); }
async function waits() { await Promise.all([1, thrower()]); }
waits().catch((error) => {
  for (const site of sitesOf(() => error).slice(0, 3)) console.log(facts(site));
  console.log(String(sitesOf(() => error)[1] ?? ''));
  const site = sitesOf(make)[0];
  console.log(Object.keys(site), site.constructor.name, site instanceof site.constructor);
  try {
    new site.constructor();
  } catch (refused) {
    console.log(refused.constructor.name);
  }
});
