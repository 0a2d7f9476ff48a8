'use strict';
// needs: hooks
// init, before, after and promiseResolve around then, await, thenables and generators.
const hooks = require('async_hooks');

const names = new Map([[0, 0], [1, 1]]);
const numberOf = (id) => {
  if (!names.has(id)) names.set(id, names.size);
  return names.get(id);
};
const lines = [];
const note = (...words) => lines.push(words.join(' '));

const hook = hooks.createHook({
  init(id, type, trigger) {
    if (type !== 'PROMISE') return;
    note('init', numberOf(id), 'by', numberOf(trigger), 'in', numberOf(hooks.executionAsyncId()));
  },
  before(id) { note('before', numberOf(id)); },
  after(id) { note('after', numberOf(id)); },
  promiseResolve(id) { note('resolved', numberOf(id)); },
});

const programs = {
  then() {
    const first = new Promise((resolve) => resolve(1));
    const second = first.then(() => note('called', hooks.executionAsyncResource() === second));
    second.then(() => note('called again'));
  },
  async awaits() {
    await 1;
    note('after a value', numberOf(hooks.executionAsyncId()));
    await new Promise((resolve) => setImmediate(resolve));
    note('after a promise', numberOf(hooks.executionAsyncId()));
  },
  thenables() {
    const thenable = {
      then(done) {
        note('then');
        done(3);
      },
    };
    Promise.resolve(thenable).then(() => note('done'));
  },
  rejections() { Promise.reject(new Error('no')).catch(() => note('caught')); },
  finals() { Promise.resolve(4).finally(() => note('finally')).then(() => note('end')); },
  nested() {
    const inner = new Promise((resolve) => setImmediate(resolve));
    new Promise((resolve) => resolve(inner)).then(() => note('both'));
  },
  async generators() {
    async function* two() { yield 1; yield 2; }
    for await (const one of two()) note('got', one);
  },
  async failing() {
    await null;
    throw new Error('expected');
  },
};

function run([name, ...rest]) {
  if (name === undefined) {
    for (const line of lines) console.log(line);
    return;
  }
  note('---', name);
  hook.enable();
  const made = programs[name]();
  hook.disable();
  made?.catch(() => {});
  hook.enable();
  setTimeout(() => {
    hook.disable();
    run(rest);
  }, 20);
}
run(Object.keys(programs));
