// pg against PostgreSQL: TLS, passwords, types, prepared statements, transactions, notifications
// needs: postgres
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Client, Pool } = require('pg');

const ca = fs.readFileSync(path.join(process.env.KEYS, 'ca.pem'), 'utf8');
const place = { host: '127.0.0.1', port: Number(process.env.POSTGRES_PORT), user: 'user',
  password: 'secret', database: 'postgres' };
const secure = { ...place, ssl: { ca } };

async function types(client) {
  const { rows, fields } = await client.query(`select 1 as int, 2::int8 as big, 'é'::text as text,
    '\\x0102ff'::bytea as bytes, true as truth, null as nothing, '{"a":[1,2]}'::jsonb as json,
    array[1,2,3] as list, 1.5::float8 as real, 12.34::numeric as exact,
    '2020-01-02T03:04:05Z'::timestamptz as moment`);
  console.log(rows, fields.map((field) => [field.name, field.dataTypeID]));
}

async function statements(client) {
  await client.query('create temp table items (id serial primary key, name text, size int)');
  for (let i = 0; i < 50; i++) {
    await client.query({ name: 'add', text: 'insert into items (name, size) values ($1, $2)',
      values: [`item ${i}`, i * i] });
  }
  console.log((await client.query('select count(*), sum(size) from items')).rows);
  await client.query('begin');
  console.log((await client.query('delete from items where size > $1', [100])).rowCount);
  await client.query('rollback');
  console.log((await client.query('select name from items where size = any($1) order by id',
    [[1, 4, 9]])).rows.map((row) => row.name).join());
  const large = await client.query(
    "select i, repeat('x', 200) as pad from generate_series(1, 20000) i");
  console.log(large.rowCount, large.rows[19999].i, large.rows[7].pad.length);
  const bytes = Buffer.alloc(1 << 20, 7);
  const back = await client.query('select $1::bytea as b', [bytes]);
  console.log(back.rows[0].b.equals(bytes));
}

async function failures(client) {
  for (const text of ['select wrong from nothing', 'select 1/0', "select 'x'::int"]) {
    await client.query(text).catch((error) => console.log(error.name, error.code, error.message));
  }
  const wrong = new Client({ ...secure, password: 'other' });
  wrong.on('error', () => {});
  await wrong.connect().catch((error) => console.log(error.code, error.message));
  const stranger = new Client({ ...place, ssl: true });
  stranger.on('error', () => {});
  await stranger.connect().catch((error) => console.log(error.code, error.message));
}

async function notifications(client) {
  const heard = new Promise((resolve) => client.once('notification', resolve));
  await client.query('listen news');
  const other = new Client(place);
  await other.connect();
  await other.query("notify news, 'hello'");
  console.log((({ channel, payload }) => ({ channel, payload }))(await heard));
  await other.end();
}

async function main() {
  const client = new Client(secure);
  await client.connect();
  const { rows } = await client.query('select version, bits from pg_stat_ssl ' +
    'where pid = pg_backend_pid()');
  console.log(rows, client.connection.stream.authorized);
  await types(client);
  await statements(client);
  await failures(client);
  await notifications(client);
  await client.end();
  const pool = new Pool({ ...secure, max: 4 });
  const all = await Promise.all(Array.from({ length: 40 },
    (_, i) => pool.query('select $1::int * 2 as twice', [i])));
  console.log(all.reduce((sum, one) => sum + one.rows[0].twice, 0), pool.totalCount);
  await pool.end();
  console.log('end');
}
main();
