// sequelize and drizzle-orm against PostgreSQL: models, relations, transactions, pools
// needs: postgres
'use strict';
const { Sequelize, DataTypes, Op } = require('sequelize');
const { drizzle } = require('drizzle-orm/node-postgres');
const pg = require('drizzle-orm/pg-core');
const { and, desc, eq, gt, relations, sql } = require('drizzle-orm');
const { Pool } = require('pg');

const place = { host: '127.0.0.1', port: Number(process.env.POSTGRES_PORT), user: 'user',
  password: 'secret', database: 'postgres' };
const tries = (work) => work().catch((error) => console.log(error.name, error.message,
  error.errors?.map(({ type, path, value }) => [type, path, value]), error.cause?.code));

function models(db) {
  const Author = db.define('author', {
    name: { type: DataTypes.STRING(20), allowNull: false, unique: true,
      validate: { len: [2, 20] } },
    born: DataTypes.DATEONLY, facts: DataTypes.JSONB, tags: DataTypes.ARRAY(DataTypes.TEXT),
    shout: { type: DataTypes.VIRTUAL, get() { return this.name.toUpperCase(); } } });
  const Book = db.define('book', { title: DataTypes.TEXT, price: DataTypes.DECIMAL(8, 2),
    cover: DataTypes.BLOB }, { timestamps: false, paranoid: false });
  Author.hasMany(Book, { onDelete: 'CASCADE' });
  Book.belongsTo(Author);
  Author.addHook('beforeCreate', (author) => { author.tags = [...author.tags ?? [], 'new']; });
  return { Author, Book };
}

async function withSequelize() {
  const statements = [];
  const db = new Sequelize({ ...place, username: place.user, dialect: 'postgres',
    pool: { max: 3 }, logging: (text) => statements.push(text) });
  const { Author, Book } = models(db);
  await db.sync({ force: true });
  const first = await Author.create({ name: 'Ada', born: '1815-12-10', facts: { deep: [1, null] },
    books: [{ title: 'Notes', price: '12.50', cover: Buffer.from([0, 255]) }, { title: 'More' }] },
  { include: Book });
  await Author.bulkCreate([{ name: 'Bob' }, { name: 'Cyd', tags: ['x'] }]);
  console.log(first.shout, first.tags, first.books.length, first.createdAt instanceof Date);
  const found = await Author.findAll({ where: { [Op.or]: [{ name: { [Op.like]: 'A%' } },
    { tags: { [Op.contains]: ['x'] } }] }, include: Book, order: ['name', [Book, 'id', 'DESC']] });
  for (const author of found) {
    const { name, born, facts, tags, books } = author.toJSON();
    console.log(name, born, facts, tags, books);
  }
  await tries(() => Author.create({ name: 'Ada' }));
  await tries(() => Author.create({ name: 'x' }));
  await tries(() => db.transaction(async (transaction) => {
    await Book.destroy({ where: {}, transaction });
    console.log('inside', await Book.count({ transaction }));
    throw new Error('rolled back');
  }));
  const counts = await Promise.all(Array.from({ length: 10 }, () => Book.count()));
  console.log(counts, await Book.sum('price'), await Author.count({ group: 'born' }));
  const [rows, detail] = await db.query('select $1::int + 1 as n, :: text', { bind: [4] })
    .catch((error) => [error.name, error.parent.code]);
  console.log(rows, detail);
  await first.update({ facts: { changed: true } });
  await first.reload();
  console.log(first.facts, first.changed(), await first.countBooks());
  await db.drop();
  await db.close();
  console.log(statements.length, statements.find((text) => /LEFT OUTER/.test(text)));
}

async function withDrizzle() {
  const users = pg.pgTable('users', { id: pg.serial('id').primaryKey(),
    name: pg.varchar('name', { length: 10 }).notNull(), age: pg.integer('age').default(30),
    seen: pg.timestamp('seen', { withTimezone: true }), data: pg.jsonb('data') });
  const posts = pg.pgTable('posts', { id: pg.serial('id').primaryKey(), text: pg.text('text'),
    user: pg.integer('user').references(() => users.id) });
  const schema = { users, posts,
    usersRelations: relations(users, ({ many }) => ({ posts: many(posts) })),
    postsRelations: relations(posts, ({ one }) => ({
      owner: one(users, { fields: [posts.user], references: [users.id] }) })) };
  const client = new Pool({ ...place, max: 2 });
  const db = drizzle(client, { schema });
  await db.execute(sql`create table users (id serial primary key, name varchar(10) not null,
    age int default 30, seen timestamptz, data jsonb);
    create table posts (id serial primary key, text text, "user" int references users)`);
  console.log(await db.insert(users).values([{ name: 'one', seen: new Date(0), data: { a: [1] } },
    { name: 'two', age: 5 }]).returning());
  await db.insert(posts).values([{ text: 'p', user: 1 }, { text: 'q', user: 1 }, { text: 'r' }]);
  console.log(await db.select({ name: users.name, n: sql`count(${posts.id})::int` }).from(users)
    .leftJoin(posts, eq(posts.user, users.id)).groupBy(users.id).orderBy(desc(users.id)));
  console.log(JSON.stringify(await db.query.users.findMany({ with: { posts: true },
    where: and(gt(users.age, 10), eq(users.name, 'one')) })));
  console.log(db.update(users).set({ age: sql`${users.age} + 1` }).where(eq(users.id, 2)).toSQL());
  await tries(() => db.transaction(async (tx) => {
    await tx.delete(posts);
    tx.rollback();
  }));
  await tries(() => db.insert(users).values({ name: 'far too long a name' }));
  console.log((await db.select().from(posts)).length);
  await db.execute(sql`drop table posts, users`);
  await client.end();
}

withSequelize().then(withDrizzle);
