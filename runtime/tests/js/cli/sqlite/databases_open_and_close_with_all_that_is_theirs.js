'use strict';
const assert = require('assert');
const fs = require('fs');
const { pathToFileURL } = require('url');
const { DatabaseSync } = require('node:sqlite');

for (const bad of [undefined, 5, 'a\0b', {}])
  assert.throws(() => new DatabaseSync(bad), { code: 'ERR_INVALID_ARG_TYPE' });
assert.throws(() => new DatabaseSync(new URL('http://x/')), { code: 'ERR_INVALID_URL_SCHEME' });
assert.throws(() => new DatabaseSync('/nonexistent/x.db'),
  { code: 'ERR_SQLITE_ERROR', errcode: 14, errstr: 'unable to open database file' });
for (const name of ['open', 'readOnly', 'enableForeignKeyConstraints', 'allowExtension',
  'readBigInts', 'returnArrays', 'allowBareNamedParameters', 'allowUnknownNamedParameters',
  'enableDoubleQuotedStringLiterals']) {
  assert.throws(() => new DatabaseSync(':memory:', { [name]: 1 }),
    { message: `The "options.${name}" argument must be a boolean.` });
}
assert.throws(() => new DatabaseSync(':memory:', { timeout: 1.5 }),
  { code: 'ERR_INVALID_ARG_TYPE' });

const closed = new DatabaseSync(':memory:', { open: false });
assert.strictEqual(closed.isOpen, false);
for (const work of [() => closed.exec('x'), () => closed.close(), () => closed.prepare('x'),
  () => closed.isTransaction, () => closed.location(), () => closed.function('f', () => {})])
  assert.throws(work, { code: 'ERR_INVALID_STATE', message: 'database is not open' });
closed.open();
assert.throws(() => closed.open(), { message: 'database is already open' });
closed.exec('BEGIN');
assert.strictEqual(closed.isTransaction, true);
assert.strictEqual(closed.location(), null);

const statement = closed.prepare('SELECT 1 UNION SELECT 2');
const rows = statement.iterate();
const session = closed.createSession();
rows.next();
closed.close();
for (const work of [() => statement.all(), () => statement.sourceSQL, () => statement.columns(),
  () => rows.next(), () => rows.return(), () => statement.setReadBigInts(true)])
  assert.throws(work, { code: 'ERR_INVALID_STATE', message: 'statement has been finalized' });
assert.throws(() => session.changeset(), { message: 'database is not open' });

const file = `${process.cwd()}/a.db`;
const first = new DatabaseSync(file);
first.exec('CREATE TABLE t(x); INSERT INTO t VALUES (1)');
assert.strictEqual(first.location(), fs.realpathSync(file));
for (const path of [pathToFileURL(file), Buffer.from(file)]) {
  const again = new DatabaseSync(path, { readOnly: true });
  assert.strictEqual(again.prepare('SELECT x FROM t').get().x, 1);
  assert.throws(() => again.exec('DELETE FROM t'), { errcode: 8 });
  again.close();
}
assert.throws(() => first.enableLoadExtension(true), { code: 'ERR_INVALID_STATE' });
assert.throws(() => first.loadExtension('x'), { message: 'extension loading is not allowed' });
const open = new DatabaseSync(':memory:', { allowExtension: true });
assert.throws(() => open.loadExtension('/nonexistent'), { code: 'ERR_LOAD_SQLITE_EXTENSION' });
open.enableLoadExtension(false);
assert.throws(() => open.loadExtension('x'), { code: 'ERR_INVALID_STATE' });
for (let i = 0; i < 200; i++) new DatabaseSync(':memory:').prepare('SELECT 1').iterate().next();
console.log('done');
