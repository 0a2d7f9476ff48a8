'use strict';
const assert = require('assert');
const { DatabaseSync, backup, constants } = require('node:sqlite');

const from = new DatabaseSync(':memory:');
const to = new DatabaseSync(':memory:');
for (const one of [from, to]) one.exec('CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)');
const session = from.createSession({ table: 't' });
from.exec("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
const changes = session.changeset();
assert.ok(changes instanceof Uint8Array && session.patchset().length > 0);
assert.strictEqual(to.applyChangeset(changes), true);
assert.strictEqual(to.prepare('SELECT count(*) AS n FROM t').get().n, 2);
assert.strictEqual(to.applyChangeset(changes), false);
const kinds = [];
assert.strictEqual(to.applyChangeset(changes, { onConflict: (kind) => {
  kinds.push(kind);
  return constants.SQLITE_CHANGESET_OMIT;
} }), true);
assert.deepStrictEqual(kinds, [constants.SQLITE_CHANGESET_CONFLICT, 3]);
assert.throws(() => to.applyChangeset(changes, { onConflict: () => 99 }), { errcode: 21 });
for (const options of [{ onConflict() { throw new Error('mine'); } },
  { filter() { throw new Error('mine'); } }])
  assert.throws(() => to.applyChangeset(changes, options), /mine/);
assert.strictEqual(to.applyChangeset(changes, { filter: () => false }), true);
// Callbacks that change the bytes, or close the database.
to.applyChangeset(changes.slice(), { filter() { changes.fill(255); return true; },
  onConflict() {
    assert.throws(() => to.close(), { code: 'ERR_INVALID_STATE' });
    return 0;
  } });
assert.throws(() => to.applyChangeset(new Uint8Array([1, 2, 3, 4])), { code: 'ERR_SQLITE_ERROR' });
assert.throws(() => to.applyChangeset('x'), { code: 'ERR_INVALID_ARG_TYPE' });
session.close();
assert.throws(() => session.changeset(), { message: 'session is not open' });

async function main() {
  const source = new DatabaseSync('a.db');
  source.exec('CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(1000000))');
  let told = 0;
  const pages = await backup(source, 'b.db', { rate: 50,
    progress: ({ totalPages, remainingPages }) => { told += totalPages > remainingPages; } });
  assert.ok(pages > 200 && told >= 4);
  const copy = new DatabaseSync('b.db');
  assert.strictEqual(copy.prepare('SELECT length(x) AS n FROM t').get().n, 1000000);
  await assert.rejects(backup(source, '/nonexistent/x'), { code: 'ERR_SQLITE_ERROR' });
  await assert.rejects(backup(source, 'c.db', { rate: 10,
    progress() { throw new Error('mine'); } }), /mine/);
  assert.throws(() => backup(source, 'x', { rate: 'x' }), { code: 'ERR_INVALID_ARG_TYPE' });
  assert.throws(() => backup({}, 'x'), { code: 'ERR_INVALID_ARG_TYPE' });
  const cut = backup(source, 'd.db', { rate: 1 });
  source.close();
  await assert.rejects(cut, { code: 'ERR_INVALID_STATE' });
  console.log('done');
}
main();
