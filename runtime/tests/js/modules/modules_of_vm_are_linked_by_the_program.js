'use strict';
// vm.SourceTextModule and vm.SyntheticModule: how they are linked and evaluated, what goes wrong.
const { spawnSync } = require('child_process');
const vm = require('vm');
const util = require('util');

async function tell(name, work) {
  try {
    console.log(name, '=>', await work());
  } catch (error) {
    console.log(name, '!!', error?.name, error?.code, error?.message, error?.cause);
  }
}

function text(source, options) { return new vm.SourceTextModule(source, options); }
const nothing = () => {};

async function linked(source, options, linker = nothing) {
  const made = text(source, options);
  await made.link(linker);
  return made;
}

async function states() {
  const made = text('export let x = 1; export default () => ++x;');
  console.log(made.status, made.identifier, made.context, made.dependencySpecifiers);
  const waits = made.link(nothing);
  console.log(made.status);
  await waits;
  console.log(made.status, util.inspect(made));
  console.log(await made.evaluate(), made.status, made.namespace.x);
  made.namespace.default();
  console.log(made.namespace.x, await made.evaluate(), made.namespace.x);
  const slow = await linked('await 0; globalThis.done = 1; export const y = 2');
  const evaluated = slow.evaluate();
  console.log(slow.status, globalThis.done);
  await evaluated;
  console.log(slow.namespace, globalThis.done);
}

async function graphs() {
  const asked = [];
  const parts = {
    a: 'import b from "b"; export { c } from "c"; export const a = () => b + 1;',
    b: 'import { a } from "a"; export default 1; export const again = () => a();',
    c: 'export * from "b"; export const c = import.meta.name;',
  };
  const made = {};
  async function linker(specifier, from, { attributes }) {
    asked.push([specifier, from.identifier, attributes]);
    await null;
    return made[specifier] ??= text(parts[specifier], { identifier: specifier,
      initializeImportMeta(meta, module) { meta.name = module.identifier; } });
  }
  const main = await linked('import { a, c } from "a" with { k: "v" }; export default [a(), c];',
    { identifier: 'main' }, linker);
  await main.evaluate();
  console.log(main.namespace.default, asked.map(([name, from]) => name + from).sort().join(),
    asked.find(([one]) => one === 'a'));
  console.log(made.b.status, made.c.namespace.again());
}

async function errors() {
  await tell('relink', async () => (await linked('')).link(nothing));
  await tell('linking', () => {
    const made = text('');
    made.link(nothing);
    return made.link(nothing);
  });
  await tell('no module', () => linked('import "a"'));
  await tell('no linker', () => text('').link(5));
  await tell('other context', () => linked('import "a"', {},
    () => text('', { context: vm.createContext() })));
  await tell('errored', async () => {
    const bad = await linked('throw 5');
    await bad.evaluate().catch(nothing);
    console.log(bad.status, bad.error);
    return linked('import "a"', {}, () => bad);
  });
  await tell('linked again', async () => {
    const made = text('import { x } from "a"; export default x');
    await made.link(() => text('')).catch((error) => console.log(String(error), made.status));
    await made.link(() => text('export const x = 7'));
    await made.evaluate();
    return made.namespace.default;
  });
  await tell('evaluate', () => text('').evaluate());
  await tell('timeout', async () => (await linked('for (;;);')).evaluate({ timeout: 10 }));
  await tell('cached', async () => {
    const made = await linked('1');
    text('1', { cachedData: made.createCachedData() });
    await made.evaluate();
    return made.createCachedData();
  });
  await tell('rejected', () => text('1', { cachedData: Buffer.alloc(5) }));
  await tell('syntax', () => text('1 1'));
  for (const options of [5, { context: {} }, { identifier: 5 }, { importModuleDynamically: 'a' },
    { initializeImportMeta: 5 }, { lineOffset: 'a' }])
    await tell('options', () => text('', options));
  await tell('source', () => text(5));
  await tell('this', () => vm.Module.prototype.status);
  await tell('abstract', () => new vm.Module());
}

async function synthetic() {
  const made = new vm.SyntheticModule(['x', 'default'], () => { made.setExport('x', 1); });
  await tell('early', () => made.setExport('x', 0));
  const user = text('import * as all from "s"; export { all }; export { x } from "s"');
  await user.link(() => made);
  await user.evaluate();
  console.log(user.namespace.all, user.namespace.x);
  made.setExport('x', 42);
  console.log(user.namespace.x, made.status);
  await tell('unknown', () => made.setExport('y', 0));
  await tell('no name', () => made.setExport(5, 0));
  await tell('twice', () => new vm.SyntheticModule(['x', 'x'], nothing));
  await tell('names', () => new vm.SyntheticModule([5], nothing));
  const bad = new vm.SyntheticModule([], () => { throw new Error('no'); });
  await bad.link(nothing);
  await tell('throws', () => bad.evaluate());
  console.log(bad.status, bad.error.message);
}

async function imports() {
  const answer = new vm.SyntheticModule(['x'], () => answer.setExport('x', 3));
  await answer.link(nothing);
  await answer.evaluate();
  const options = { importModuleDynamically: (specifier, from, attributes) => {
    console.log(specifier, from?.constructor.name, attributes);
    return specifier === 'bad' ? 5 : answer;
  } };
  const x = async (promise) => (await promise).x;
  await tell('script', () => x(vm.runInThisContext('import("a")', options)));
  await tell('with', () => x(new vm.Script('import("a", { with: { type: "t" } })', options)
    .runInNewContext()));
  await tell('function', () => x(vm.compileFunction('return import("a")', [], options)()));
  await tell('module', async () => {
    const made = await linked('export const p = import("a")', options);
    await made.evaluate();
    return x(made.namespace.p);
  });
  await tell('context', () => x(vm.runInContext('Promise.resolve(`import("a")`).then(eval)',
    vm.createContext({}, options))));
  await tell('no module', () => vm.runInThisContext('import("bad")', options));
  await tell('nobody', () => vm.runInThisContext('import("fs")'));
  await tell('loader', async () => typeof (await vm.runInNewContext('import("fs")', {},
    { importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })).readFile);
}

if (vm.Module === undefined) {
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  const { status } = spawnSync(process.execPath, [...flags, __filename], { stdio: 'inherit' });
  process.exitCode = status;
} else {
  states().then(graphs).then(errors).then(synthetic).then(imports);
}
