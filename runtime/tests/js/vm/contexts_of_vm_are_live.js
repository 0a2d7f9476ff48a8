// Globals of a context and its sandbox are one.
const vm = require('vm');

const show = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};
const sandbox = { a: 1, get lazy() { return 'got'; }, set put(value) { this.was = value; } };
Object.defineProperty(sandbox, 'fixed', { value: 5 });
sandbox.self = sandbox;
vm.createContext(sandbox);
const run = (code) => vm.runInContext(code, sandbox);
show(() => run('a = 2; var b = 3; function f() { return later; } c = 4; this.d = 5; typeof a'));
show(() => [sandbox.a, sandbox.b, typeof sandbox.f, sandbox.c, sandbox.d]);
sandbox.later = 'later';
show(() => sandbox.f());
show(() => run('lazy'));
show(() => run('put = 7; was'));
show(() => run('fixed = 6; fixed'));
show(() => run('"use strict"; unknown = 6'));
show(() => run('unknown'));
show(() => run('typeof unknown'));
show(() => run('self === this && this === globalThis'));
show(() => run('delete c') && !('c' in sandbox));
show(() => run('Object.defineProperty(this, "e", { value: 1, enumerable: true }); "e" in this'));
show(() => Object.getOwnPropertyDescriptor(sandbox, 'e'));
show(() => run('Object.keys(this).sort().join()'));
show(() => run('let hidden = 1; hidden'));
show(() => [run('hidden'), 'hidden' in sandbox]);
show(() => run('[] instanceof Array && Array !== outer') === undefined);
sandbox.outer = Array;
show(() => run('[] instanceof Array && Array !== outer'));
show(() => run('undefined = 1; undefined'));
show(() => vm.isContext(sandbox) && !vm.isContext({}));
show(() => vm.runInNewContext('a + b', { a: 1, b: 2 }));
show(() => vm.runInNewContext('x', new Proxy({}, { has: () => true, get: (t, key) => key })));
show(() => vm.runInContext('1', {}));
show(() => {
  const plain = vm.createContext(vm.constants.DONT_CONTEXTIFY);
  return vm.runInContext('globalThis', plain) === plain;
});
show(() => {
  const seen = [];
  vm.runInNewContext('Promise.resolve().then(() => seen.push(1))', { seen },
    { microtaskMode: 'afterEvaluate' });
  return seen;
});
const script = new vm.Script('1 + 1');
const cachedData = script.createCachedData();
show(() => new vm.Script('1 + 1', { cachedData }).cachedDataRejected);
show(() => new vm.Script('1 + 2', { cachedData }).cachedDataRejected);
show(() => vm.compileFunction('return a + b + c', ['a'],
  { contextExtensions: [{ b: 2, c: 3 }] })(1));
for (const options of [{ filename: 1 }, { lineOffset: 'x' }, { cachedData: 1 },
  { importModuleDynamically: 1 }, null]) show(() => new vm.Script('1', options));
