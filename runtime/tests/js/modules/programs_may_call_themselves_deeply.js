'use strict';
// frames: on the stack
// As deep as programs go, on all threads; what is too deep to be shown is said to be.
const { Worker, isMainThread } = require('worker_threads');
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const { inspect } = require('util');

const storage = new AsyncLocalStorage();
const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1));
const stored = (n) => (n === 0 ? 'stored' : storage.run({}, stored, n - 1));
const scoped = (n) => (n === 0 ? 'scoped'
  : new AsyncResource('x').runInAsyncScope(scoped, null, n - 1));

console.log(deep(3500), stored(700), scoped(430));
let nested = {};
for (let i = 0; i < 60000; i++) nested = { nested };
const text = inspect(nested, { depth: Infinity, compact: true, breakLength: Infinity });
console.log(/\[Object: Inspection.*?\]/.exec(text)[0]);
try {
  (function again() { again(); })();
} catch (error) {
  console.log(error.name, error.message);
}
if (isMainThread) new Worker(__filename);
