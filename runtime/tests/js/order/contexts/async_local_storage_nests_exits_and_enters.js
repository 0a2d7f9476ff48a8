// needs: contexts
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const EventEmitter = require('events');
const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
storage.run('outer', () => {
  other.run('beside', () => {
    storage.run('inner', () => {
      setImmediate(() => console.log('immediate', storage.getStore(), other.getStore()));
    });
    console.log('after inner', storage.getStore(), other.getStore());
    storage.exit(() => console.log('exit', storage.getStore(), other.getStore()));
  });
  try {
    storage.run('throws', () => {
      throw new Error('x');
    });
  } catch {
    console.log('after a throw', storage.getStore());
  }
  const emitter = new EventEmitter();
  emitter.on('plain', () => console.log('plain listener', storage.getStore()));
  emitter.on(
    'bound',
    AsyncResource.bind(() => console.log('bound listener', storage.getStore())),
  );
  const resource = new AsyncResource('MINE');
  storage.run('elsewhere', () => {
    emitter.emit('plain');
    emitter.emit('bound');
    console.log(
      'resource',
      resource.runInAsyncScope((a, b) => [storage.getStore(), a, b], null, 1, 2),
    );
  });
  const snapshot = AsyncLocalStorage.snapshot();
  const bound = AsyncLocalStorage.bind(() => storage.getStore());
  setImmediate(() =>
    storage.run('later', () => {
      console.log(
        'snapshot',
        snapshot(() => storage.getStore()),
        bound(),
      );
    }),
  );
});
console.log('outside', storage.getStore());
storage.enterWith('entered');
process.nextTick(() => console.log('tick', storage.getStore()));
Promise.resolve().then(() => console.log('promise', storage.getStore()));
(async () => {
  await null;
  storage.enterWith('in a function');
  await null;
  console.log('async function', storage.getStore());
})().then(() => console.log('after it', storage.getStore()));
setImmediate(() =>
  setImmediate(() => {
    console.log('late', storage.getStore());
    storage.disable();
    console.log('disabled', storage.getStore());
  }),
);
