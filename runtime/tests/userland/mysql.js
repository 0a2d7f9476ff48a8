// mysql2 against MariaDB: TLS, passwords, types, prepared statements, streams of rows, pools
// needs: mariadb
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const mysql = require('mysql2');

const ca = fs.readFileSync(path.join(process.env.KEYS, 'ca.pem'), 'utf8');
const place = { host: '127.0.0.1', port: Number(process.env.MARIADB_PORT), user: 'user',
  password: 'secret', database: 'shop', ssl: { ca }, timezone: 'Z' };

async function types(connection) {
  const [rows, fields] = await connection.query(`select 1 as one, 'é' as text, x'0102ff' as bytes,
    null as nothing, 1.5e0 as real_, 12.34 as exact, timestamp '2020-01-02 03:04:05' as moment,
    cast(9007199254740993 as unsigned) as big`);
  console.log(rows, fields.map((field) => [field.name, field.columnType]));
}

async function statements(connection) {
  await connection.query('create temporary table items (id int auto_increment primary key, ' +
    'name varchar(40), size int, unique (name))');
  for (let i = 0; i < 50; i++) {
    await connection.execute('insert into items (name, size) values (?, ?)', [`item ${i}`, i * i]);
  }
  const [found] = await connection.execute('select name from items where size in (?, ?)', [4, 9]);
  console.log(found);
  await connection.beginTransaction();
  const [gone] = await connection.query('delete from items where size > ?', [100]);
  console.log(gone.affectedRows);
  await connection.rollback();
  console.log((await connection.query('select count(*) as n, sum(size) as s from items'))[0]);
  const large = Buffer.alloc(2_000_000, 'ab');
  const [[{ n, same }]] = await connection.query('select length(?) as n, ? = ? as same',
    [large, large, large]);
  console.log(n, same);
}

async function failures(connection) {
  for (const text of ['select wrong from nothing', 'selec',
    "insert into items (name) values ('item 1')"]) {
    await connection.query(text).catch((error) => console.log(error.code, error.errno,
      error.sqlState, error.message));
  }
  await require('mysql2/promise').createConnection({ ...place, password: 'other' })
    .catch((error) => console.log(error.code, error.errno));
  await require('mysql2/promise').createConnection({ ...place, ssl: {} })
    .catch((error) => console.log(error.code, error.message));
}

function stream() {
  const connection = mysql.createConnection(place);
  return new Promise((resolve, reject) => {
    let count = 0;
    connection.query('select seq, repeat("x", 100) as pad from seq_1_to_20000').stream()
      .on('data', (row) => { count += row.pad.length; })
      .on('error', reject)
      .on('end', () => {
        console.log('streamed', count);
        connection.end(resolve);
      });
  });
}

async function main() {
  const connection = await require('mysql2/promise').createConnection(place);
  const [[status]] = await connection.query("show status like 'Ssl_version'");
  console.log(status);
  await types(connection);
  await statements(connection);
  await failures(connection);
  await connection.end();
  await stream();
  const pool = mysql.createPool({ ...place, connectionLimit: 4 }).promise();
  const all = await Promise.all(Array.from({ length: 40 },
    (_, i) => pool.execute('select ? * 2 as twice', [i])));
  console.log(all.reduce((sum, [rows]) => sum + Number(rows[0].twice), 0));
  await pool.end();
  console.log('end');
}
main();
