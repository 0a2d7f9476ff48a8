// Every kind of awaited value and outcome, next to a chain of promises that counts the turns.
const log = (...words) => console.log(...words);
let turn = 0;
(async function clock() {
  while (turn < 24) {
    await Promise.resolve();
    turn++;
  }
})();
const reject = reason => Promise.reject(reason);
class Sub extends Promise {}
const getter = {};
Object.defineProperty(getter, 'then', {
  get() {
    throw new Error('then getter');
  },
});
const odd = Promise.resolve('own constructor');
Object.defineProperty(odd, 'constructor', {
  get() {
    log('constructor read');
    return Promise;
  },
});
const values = {
  undefined: undefined,
  number: 1,
  text: 'text',
  object: {},
  symbol: Symbol('s'),
  settled: Promise.resolve(2),
  rejected: reject(3),
  sub: Sub.resolve(4),
  thenable: {
    then(f) {
      f(5);
    },
  },
  failing: {
    then(f, g) {
      g(6);
    },
  },
  getter,
  odd,
  pending: new Promise(f => queueMicrotask(() => f(7))),
  failed: new Promise((f, g) => queueMicrotask(() => g(8))),
  nested: (async () => {
    await null;
    throw new TypeError('inside');
  })(),
};
for (const [name, value] of Object.entries(values)) {
  (async () => {
    try {
      log(turn, name, await value);
    } catch (error) {
      log(turn, name, 'caught', String(error));
    } finally {
      log(turn, name, 'finally', await 'again');
    }
    return name;
  })().then(result => log(turn, result, 'then'));
}
const cycle = (async () => {
  await null;
  return cycle;
})();
cycle.catch(error => log(turn, 'cycle', error.constructor.name));
Promise.resolve({
  then(f) {
    f('from then');
  },
}).then(log);
Sub.resolve(1).then(() => {}).constructor === Sub && log('sub stays');
const resolvers = {};
new Promise((f, g) => {
  resolvers.f = f;
  resolvers.g = g;
}).then(log);
resolvers.f('once');
resolvers.g('never');
log(
  resolvers.f.length,
  resolvers.f.name === '',
  Promise.resolve(values.settled) === values.settled,
);
