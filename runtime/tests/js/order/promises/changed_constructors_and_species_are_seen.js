// What await and then make of a promise depends on its constructor and on that one's species, from
// the moment that a program changes them.
'use strict';

const order = [];
const note = (name) => () => { order.push(name); };

class Own extends Promise {
  constructor(executor) {
    super(executor);
    order.push('Own');
  }
}
const shown = (promise) => `${promise.constructor.name} ${promise instanceof Own}`;

async function awaits(name, promise) {
  await promise;
  order.push(name);
}

async function turns(title, make) {
  order.length = 0;
  const done = awaits('await', make());
  Promise.resolve().then(note('1')).then(note('2')).then(note('3')).then(note('4'));
  await done;
  await new Promise(setImmediate);
  console.log(title, order.join(' '));
}

(async () => {
  await turns('plain', () => Promise.resolve());
  await turns('own constructor', () =>
    Object.assign(Promise.resolve(), { constructor: Object }));
  await turns('a subclass', () => Own.resolve());
  await turns('a getter', () => Object.defineProperty(Promise.resolve(), 'constructor', {
    get() { order.push('get'); return Promise; },
  }));
  await turns('a prototype between', () =>
    Object.setPrototypeOf(Promise.resolve(), Object.create(Promise.prototype)));
  await turns('no prototype', () => Object.setPrototypeOf(Promise.resolve(), null));

  const plain = Promise.resolve();
  console.log(shown(plain.then()), shown(Object.assign(Promise.resolve(), { constructor: Own })
    .then()), shown(Own.resolve().then()));

  const species = Object.getOwnPropertyDescriptor(Promise, Symbol.species);
  Object.defineProperty(Promise, Symbol.species, { configurable: true, value: Own });
  console.log('species', shown(plain.then()));
  Object.defineProperty(Promise, Symbol.species, { configurable: true, get: () => undefined });
  console.log('undefined', shown(plain.then()));
  Object.defineProperty(Promise, Symbol.species, { configurable: true, get() { throw 'no'; } });
  try {
    plain.then();
  } catch (error) {
    console.log('thrown', error);
  }
  Object.defineProperty(Promise, Symbol.species, species);

  const { constructor } = Promise.prototype;
  Promise.prototype.constructor = Own;
  console.log('of the prototype', shown(plain.then()), shown(Promise.resolve(plain)),
    Promise.resolve(plain) === plain);
  Promise.prototype.constructor = 5;
  try {
    plain.then();
  } catch (error) {
    console.log(error.name);
  }
  Promise.prototype.constructor = constructor;
  console.log(shown(plain.then()), Promise.resolve(plain) === plain);
})();
