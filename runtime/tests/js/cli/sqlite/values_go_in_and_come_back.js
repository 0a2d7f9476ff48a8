'use strict';
const assert = require('assert');
const { DatabaseSync, StatementSync } = require('node:sqlite');

const row = (object) => Object.assign(Object.create(null), object);
const database = new DatabaseSync(':memory:');
const one = (sql, ...args) => database.prepare(sql).get(...args);
assert.throws(() => require('sqlite'), { code: 'MODULE_NOT_FOUND' });
assert.throws(() => new StatementSync(), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });

database.exec('CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c BLOB, d REAL)');
const insert = database.prepare('INSERT INTO t VALUES (?, ?, ?, ?)');
assert.deepStrictEqual(insert.run(1, 'x', new Uint8Array([1, 2]), 1.5),
  { changes: 1, lastInsertRowid: 1 });
insert.run(2n, null, null, null);
insert.run(3, '\u20ac a\0b', Buffer.from('z'), true);
const all = database.prepare('SELECT * FROM t');
assert.deepStrictEqual(all.all(), [row({ a: 1, b: 'x', c: new Uint8Array([1, 2]), d: 1.5 }),
  row({ a: 2, b: null, c: null, d: null }),
  row({ a: 3, b: '\u20ac a\0b', c: new Uint8Array([122]), d: 1 })]);
assert.deepStrictEqual([...all.iterate()].map((r) => r.a), [1, 2, 3]);
assert.deepStrictEqual(all.columns()[0],
  row({ column: 'a', database: 'main', name: 'a', table: 't', type: 'INTEGER' }));
assert.strictEqual(insert.sourceSQL, 'INSERT INTO t VALUES (?, ?, ?, ?)');
assert.strictEqual(insert.expandedSQL, "INSERT INTO t VALUES (3.0, '\u20ac a', x'7a', 1)");
all.setReturnArrays(true);
assert.deepStrictEqual(all.get(), [1, 'x', new Uint8Array([1, 2]), 1.5]);
all.setReadBigInts(true);
assert.strictEqual(all.get()[0], 1n);

assert.deepStrictEqual(one('SELECT $a AS a, :b AS b, @c AS c', { a: 1, b: 2, '@c': 3 }),
  row({ a: 1, b: 2, c: 3 }));
assert.deepStrictEqual(one('SELECT $a AS a, ? AS b', { a: 5 }, 6), row({ a: 5, b: 6 }));
const odd = one('SELECT 1 AS __proto__, 2 AS a, 3 AS a');
assert.deepStrictEqual(Object.entries(odd), [['__proto__', 1], ['a', 3]]);
assert.throws(() => one('SELECT $a AS a', { x: 1 }),
  { code: 'ERR_INVALID_STATE', message: "Unknown named parameter 'x'" });
assert.throws(() => one('SELECT $a, @a', { a: 1 }), /conflicting names '\$a' and '@a'/);
const loose = database.prepare('SELECT $a AS a');
loose.setAllowUnknownNamedParameters(true);
loose.setAllowBareNamedParameters(false);
assert.deepStrictEqual(loose.get({ a: 1, b: 2 }), row({ a: null }));
assert.throws(() => one('SELECT 9007199254740993'), { code: 'ERR_OUT_OF_RANGE' });
assert.throws(() => one('SELECT ?', 2n ** 63n), { code: 'ERR_INVALID_ARG_VALUE' });
assert.strictEqual(database.prepare('SELECT ? AS x', { readBigInts: true })
  .get(-(2n ** 63n)).x, -(2n ** 63n));
for (const bad of [undefined, {}, Symbol('x'), () => {}, new Date()])
  assert.throws(() => one('SELECT ?, ?', 1, bad), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => one('SELECT ?', 1, 2), { code: 'ERR_SQLITE_ERROR', errcode: 25 });
assert.throws(() => insert.run(1, 'x', null, 1), { code: 'ERR_SQLITE_ERROR', errcode: 1555,
  errstr: 'constraint failed', message: 'UNIQUE constraint failed: t.a' });
assert.throws(() => database.exec('SELECT FROM'), { code: 'ERR_SQLITE_ERROR', errcode: 1 });
assert.throws(() => database.prepare('-- nothing'), { code: 'ERR_INVALID_ARG_VALUE' });
assert.throws(() => one('SELECT "nope" FROM t'), /no such column/);

const bytes = new Uint8Array([1, 2, 3]);
structuredClone(0, { transfer: [bytes.buffer] });
assert.strictEqual(one('SELECT ? AS x', bytes).x.length, 0);
const shrinking = new ArrayBuffer(8, { maxByteLength: 16 });
const view = new Uint8Array(shrinking);
shrinking.resize(2);
assert.strictEqual(one('SELECT ? AS x', view).x.length, 2);
console.log('done');
