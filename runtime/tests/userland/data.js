// jsonwebtoken, bcryptjs, knex, zod, joi, cheerio, jsdom, graphql, tar, jszip, xml, csv, dates
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const bcrypt = require('bcryptjs');
const cheerio = require('cheerio');
const { buildSchema, graphql } = require('graphql');
const joi = require('joi');
const { JSDOM } = require('jsdom');
const jwt = require('jsonwebtoken');
const JSZip = require('jszip');
const tar = require('tar');
const { z } = require('zod');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-'));

async function archives() {
  fs.writeFileSync(path.join(folder, 'a.txt'), 'in a tar file');
  await tar.c({ gzip: true, file: path.join(folder, 'a.tgz'), cwd: folder }, ['a.txt']);
  fs.mkdirSync(path.join(folder, 'out'));
  await tar.x({ file: path.join(folder, 'a.tgz'), cwd: path.join(folder, 'out') });
  console.log(fs.readFileSync(path.join(folder, 'out/a.txt'), 'utf8'));
  const zip = new JSZip().file('b.txt', 'in a zip file '.repeat(20));
  const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
  console.log((await (await JSZip.loadAsync(bytes)).file('b.txt').async('string')).length);
}

async function main() {
  const token = jwt.sign({ user: 1, iat: 1 }, 'secret');
  console.log(token, jwt.verify(token, 'secret'));
  try {
    jwt.verify(token, 'other');
  } catch (error) {
    console.log(error.name, error.message);
  }
  const hash = bcrypt.hashSync('password', 4);
  console.log(bcrypt.compareSync('password', hash), bcrypt.compareSync('other', hash));
  console.log(require('knex')({ client: 'pg' })('t').where({ a: 1 }).orWhere('b', '>', 2)
    .select('x').toString());
  console.log(z.object({ a: z.string().min(2) }).safeParse({ a: 'x' }).error.issues);
  console.log(joi.object({ a: joi.number().max(3) }).validate({ a: 5 }).error.message);
  const $ = cheerio.load('<ul><li class=a>1</li><li>2</li></ul>');
  console.log($('li.a').text(), $.html());
  const page = new JSDOM('<p id=x>text</p>');
  page.window.document.querySelector('#x').append(' and more');
  console.log(page.serialize());
  const answer = await graphql({ schema: buildSchema('type Query { hi(n: Int): String }'),
    source: '{ hi(n: 2) }', rootValue: { hi: ({ n }) => 'x'.repeat(n) } });
  console.log(JSON.stringify(answer));
  console.log(JSON.stringify(await require('xml2js').parseStringPromise('<a x="1"><b>t</b></a>')));
  console.log(require('csv-parse/sync').parse('a,b\n1,"2,3"', { columns: true }));
  console.log(require('luxon').DateTime.fromISO('2020-01-01', { zone: 'utc' }).plus({ days: 3 })
    .toISO(), require('moment')('2020-01-31').add(1, 'month').format('YYYY-MM-DD'),
  require('date-fns').format(new Date(2020, 0, 1), 'yyyy-MM-dd EEE'));
  console.log(require('mathjs').evaluate('det([1, 2; 3, 4]) + sqrt(16)'));
  await archives();
}
main().finally(() => fs.rmSync(folder, { recursive: true }));
