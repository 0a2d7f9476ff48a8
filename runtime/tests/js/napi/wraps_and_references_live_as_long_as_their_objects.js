'use strict';
const addon = require(`${process.env.PHASOR_TEST_ADDONS}/lifetimes.node`);
const { setTimeout: wait } = require('timers/promises');

const { gc } = globalThis;

async function until(condition) {
  for (let i = 0; i < 200 && !condition(); i++) {
    gc();
    await wait(1);
  }
  return condition();
}

function wrapSome() {
  for (let i = 0; i < 3; i++) addon.wrap({});
  addon.wrap(Object.freeze({}));
  addon.wrap(new Proxy({}, {}));
  addon.wrap([]);
}

async function main() {
  const frozen = addon.wrap(Object.freeze({ a: 1 }));
  console.log(addon.unwrap(frozen), addon.unwrap({}), Reflect.ownKeys(frozen));
  wrapSome();
  console.log('wraps are finalized', await until(() => addon.count() === 6));

  (() => addon.keep({ name: 'strong' }, 1))();
  gc();
  await wait(1);
  console.log(addon.kept(), addon.ref(), addon.unref(), addon.unref());
  console.log('weak ones go', await until(() => addon.kept() === undefined), addon.ref());
  addon.drop();
  addon.keep(Symbol.for('registered'), 0);
  gc();
  console.log(addon.kept());
  addon.drop();

  (() => {
    console.log(Buffer.from(addon.bytes(0)).toString(), addon.bytes(1).toString(),
      addon.bytes(1) instanceof Buffer);
  })();
  console.log('bytes are given back', await until(() => addon.freed() === 3));
  const detached = addon.bytes(0);
  try {
    structuredClone(detached, { transfer: [detached] });
  } catch (error) {
    console.log(error.name);
  }
  console.log(addon.scopes(1000));
  console.log(typeof addon.same.call(1), addon.same.call(undefined) === globalThis);
}

if (gc === undefined) {
  require('child_process').spawnSync(process.execPath, ['--expose-gc', __filename],
    { stdio: 'inherit' });
} else {
  main();
}
