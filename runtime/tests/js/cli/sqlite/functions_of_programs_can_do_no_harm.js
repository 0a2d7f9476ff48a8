'use strict';
const assert = require('assert');
const { DatabaseSync } = require('node:sqlite');

const database = new DatabaseSync(':memory:');
const one = (sql, ...args) => database.prepare(sql).get(...args);
database.exec('CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3), (9)');

database.function('plus', (a, b) => a + b);
database.function('count_of', { varargs: true }, (...args) => args.length);
database.function('kind', { useBigIntArguments: true, deterministic: true, directOnly: true },
  (value) => typeof value);
assert.strictEqual(one('SELECT plus(1, 2) AS x').x, 3);
assert.strictEqual(one('SELECT count_of(1, 2, 3) AS x').x, 3);
assert.strictEqual(one('SELECT kind(1) AS x').x, 'bigint');
assert.throws(() => one('SELECT plus(1)'), /wrong number of arguments/);
for (const [value, words] of [[{}, /cannot be converted/], [Promise.resolve(1), /Asynchronous/],
  [2n ** 64n, /too large/], [true, /cannot be converted/]]) {
  database.function('gives', () => value);
  assert.throws(() => one('SELECT gives()'), words);
}
const boom = new RangeError('boom');
database.function('throws', () => { throw boom; });
assert.throws(() => one('SELECT throws()'), (error) => error === boom);
assert.throws(() => database.exec('INSERT INTO t SELECT throws()'), (error) => error === boom);
assert.throws(() => one('SELECT plus(9007199254740993, 1)'), { code: 'ERR_OUT_OF_RANGE' });

// Inside a call, neither the statement nor the database can be pulled away.
let running;
const seen = [];
const attempt = (work) => {
  try {
    work();
    seen.push('worked');
  } catch (error) {
    seen.push(error.code);
  }
};
database.function('evil', () => {
  attempt(() => running.get());
  attempt(() => database.close());
  attempt(() => database.exec('INSERT INTO t VALUES (4)'));
  attempt(() => one('SELECT throws()'));
  globalThis.gc?.();
  return 5;
});
running = database.prepare('SELECT evil() AS x');
assert.strictEqual(running.get().x, 5);
assert.deepStrictEqual(seen, ['ERR_INVALID_STATE', 'ERR_INVALID_STATE', 'worked', undefined]);
database.exec('DELETE FROM t WHERE a = 4');
const closing = { get a() { database.close(); return 1; } };
const other = database.prepare('SELECT $a AS a');

database.aggregate('total', { start: 0, step: (sum, value) => sum + value });
assert.strictEqual(one('SELECT total(a) AS x FROM t').x, 15);
assert.strictEqual(one('SELECT total(a) AS x FROM t WHERE a > 100').x, 0);
database.aggregate('listed', { start: () => [], step: (list, value) => [...list, value],
  inverse: (list, value) => list.filter((each) => each !== value), result: (list) => list.join() });
assert.deepStrictEqual(database.prepare('SELECT listed(a) OVER (ORDER BY a ROWS BETWEEN ' +
  '1 PRECEDING AND CURRENT ROW) AS x FROM t').all().map(({ x }) => x), ['1', '1,2', '2,3', '3,9']);
database.aggregate('broken', { start: () => ({}),
  step: (sum, value) => { throw value > 0 ? boom : sum; } });
assert.throws(() => one('SELECT broken(a) FROM t'), (error) => error === boom);
database.aggregate('half', { start: 0, step: (sum, value) => sum + value,
  result: () => { throw boom; } });
assert.throws(() => one('SELECT half(a) FROM t'), (error) => error === boom);
assert.throws(() => database.aggregate('x', {}), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => database.aggregate('x', { start: 0 }), { code: 'ERR_INVALID_ARG_TYPE' });
// An iteration that is given up in the middle of its groups.
database.prepare('SELECT listed(a) AS x FROM t GROUP BY a').iterate().next();

assert.throws(() => other.get(closing), { code: 'ERR_INVALID_STATE' });
assert.strictEqual(database.isOpen, false);
console.log('done');
