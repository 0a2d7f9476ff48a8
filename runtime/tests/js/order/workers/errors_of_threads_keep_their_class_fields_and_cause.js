'use strict';
const { Worker } = require('worker_threads');

const sources = [
  "throw Object.assign(new TypeError('fields'), { code: 'FOO', more: { a: 1 }, f() {} })",
  `class Own extends RangeError { get kind() { return 'got'; } get bad() { throw 1; } }
   throw new Own('getters')`,
  "throw new Error('outer', { cause: new RangeError('inner', { cause: 'text' }) })",
  'throw function named() {}',
  "throw Symbol('local')",
  "throw Symbol.for('shared')",
  "throw { [Symbol.for('nodejs.util.inspect.custom')]() { return 'shown'; } }",
  'throw undefined',
];

function show(error) {
  if (!(error instanceof Error)) {
    console.log(typeof error === 'object' ? require('util').inspect(error) : error);
    if (typeof error === 'symbol') console.log(error === Symbol.for('shared'));
    return;
  }
  console.log(error.name, error.message, Object.keys(error), error.code, error.kind,
    error.constructor.name, error.stack.includes('unpack'));
  const { cause } = error;
  if (cause instanceof Error) console.log(cause.message, cause.cause);
}

(async () => {
  for (const source of sources) {
    await new Promise((resolve) => {
      new Worker(source, { eval: true }).on('error', show).on('exit', resolve);
    });
  }
})();
