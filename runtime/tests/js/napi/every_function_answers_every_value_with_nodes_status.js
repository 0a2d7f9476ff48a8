'use strict';
// compare: stdout
const addon = require(`${process.env.PHASOR_TEST_ADDONS}/statuses.node`);

const KINDS = ['numbers', 'text', 'conversions', 'objects', 'functions', 'attachments', 'bytes',
  'asynchronous'];
const fail = () => { throw new Error('trap'); };
const detached = new ArrayBuffer(8);
structuredClone(detached, { transfer: [detached] });
const values = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  number: () => 1.5,
  infinity: () => Infinity,
  string: () => 'text',
  symbol: () => Symbol('a'),
  registered: () => Symbol.for('a'),
  bigint: () => 12n,
  object: () => ({ a: 1 }),
  null_prototype: () => Object.create(null),
  frozen: () => Object.freeze({ key: 1 }),
  array: () => [1, 2],
  function: () => function plain() {},
  arrow: () => () => 1,
  throwing: () => fail,
  class: () => class A {},
  external: () => addon.external(),
  date: () => new Date(0),
  error: () => new Error('e'),
  promise: () => Promise.resolve(),
  buffer: () => new ArrayBuffer(8),
  detached: () => detached,
  shared: () => new SharedArrayBuffer(8),
  bytes: () => new Uint8Array(8),
  view: () => new DataView(new ArrayBuffer(8)),
  Buffer: () => Buffer.alloc(4),
  proxy: () => new Proxy({}, {}),
  trap: () => new Proxy(function traps() {}, { get: fail, set: fail, has: fail, ownKeys: fail,
    deleteProperty: fail, defineProperty: fail, getOwnPropertyDescriptor: fail, apply: fail,
    construct: fail }),
};

// What async_init can't convert is thrown past the addon in Node.
const UNCONVERTED = ['undefined', 'null', 'symbol', 'registered', 'null_prototype', 'external',
  'trap'];

for (const [name, make] of Object.entries(values)) {
  console.log(name, addon.describe(make()).join(' '), addon.lastWords(make()));
  for (const [index, kind] of KINDS.entries()) {
    if (kind === 'asynchronous' && UNCONVERTED.includes(name)) continue;
    console.log(' ', kind, addon.ask(index, make()).join(' '));
  }
}
