'use strict';
// needs: contexts
// What a generator yields takes the same number of turns whether it is a value, a promise or a
// thenable; requests wait in line; return and throw come in their turn.
const { AsyncLocalStorage } = require('async_hooks');

const lines = [];
const note = (text) => lines.push(text);
let ticks = 0;
let isCounting = true;
(function count() {
  ticks++;
  if (isCounting) Promise.resolve().then(count);
})();
const context = new AsyncLocalStorage();

async function* mixed() {
  try {
    note(`starts ${ticks}`);
    const sent = yield 1;
    note(`got ${sent} ${ticks}`);
    yield Promise.resolve(2);
    yield { then(resolve) { resolve(3); } };
    await null;
    note(`awaited ${ticks} ${context.getStore()}`);
    yield await 4;
    yield Promise.reject(new Error('rejected'));
  } catch (error) {
    note(`caught ${error.message} ${ticks}`);
    yield 5;
  } finally {
    note(`finally ${ticks}`);
    await undefined;
  }
  return Promise.resolve(6);
}

async function one() {
  for await (const value of mixed()) note(`value ${value} ${ticks}`);
  const line = mixed();
  const asked = [line.next('a'), line.next('b'), line.next('c'), line.throw(new Error('thrown')),
    line.return(7), line.next()];
  for (const result of asked) note(JSON.stringify(await result) + ticks);
}

// One that is asked from inside of itself, and two that take turns.
async function* inside() {
  const again = self.next();
  yield 'a';
  yield 'b';
  note(JSON.stringify(await again));
}
const self = inside();

async function* few(name) {
  for (let i = 0; i < 3; i++) yield `${name}${i}`;
}

async function two(name) {
  for await (const value of few(name)) note(`${value} ${ticks} ${context.getStore()}`);
}

async function three() {
  for (let i = 0; i < 3; i++) note(`${await i} ${ticks} ${context.getStore()}`);
  await Promise.reject(new Error('in the middle')).catch(() => note(`caught ${ticks}`));
  try {
    await Promise.reject(new Error('later'));
  } catch (error) {
    note(`${error.message} ${ticks}`);
  }
  for (let i = 0; i < 3; i++) note(`${await (i % 2 ? i : Promise.resolve(i))} ${ticks}`);
}

(async () => {
  await context.run('first', one);
  note(JSON.stringify(await Promise.all([self.next(), self.next(), self.return(1)])));
  await Promise.all([context.run('x', two, 'x'), context.run('y', two, 'y'), two('z'),
    context.run('w', three), three()]);
  await mixed.prototype.next.call({}).catch((error) => note(`${error.name} ${ticks}`));
  isCounting = false;
  console.log(lines.join('\n'));
})();
