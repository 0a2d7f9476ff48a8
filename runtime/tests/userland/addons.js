// bcrypt, classic-level, bufferutil, @parcel/watcher, @node-rs, lightningcss, swc, rollup 4, sharp
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'addons-'));

async function hashes() {
  const bcrypt = require('bcrypt');
  console.log(await bcrypt.compare('word', await bcrypt.hash('word', 4)),
    bcrypt.compareSync('other', bcrypt.hashSync('word', 4)));
  const argon2 = require('@node-rs/argon2');
  const { crc32 } = require('@node-rs/crc32');
  console.log(crc32('hello'), await argon2.verify(
    await argon2.hash('word', { memoryCost: 1024 }), 'word'));
  await argon2.verify('no hash', 'word').catch((error) => console.log(error.code, error.message));
}

function frames() {
  const { mask, unmask } = require('bufferutil');
  const masked = Buffer.alloc(5);
  mask(Buffer.from('hello'), Buffer.from([1, 2, 3, 4]), masked, 0, 5);
  console.log(masked);
  unmask(masked, Buffer.from([1, 2, 3, 4]));
  console.log(masked.toString(), require('utf-8-validate')(Buffer.from([0xff])));
}

async function database() {
  const { ClassicLevel } = require('classic-level');
  const level = new ClassicLevel(path.join(folder, 'level'), { valueEncoding: 'json' });
  await level.put('a', { number: 1 });
  await level.batch([{ type: 'put', key: 'b', value: 2 }, { type: 'del', key: 'none' }]);
  for await (const [key, value] of level.iterator({ reverse: true })) console.log(key, value);
  console.log(await level.get('none').catch((error) => error.code));
  await level.close();
}

async function watch() {
  const watcher = require('@parcel/watcher');
  const watched = path.join(folder, 'watched');
  fs.mkdirSync(watched);
  let told;
  const change = new Promise((resolve) => { told = resolve; });
  const subscription = await watcher.subscribe(watched, (error, events) => told([error, events]));
  fs.writeFileSync(path.join(watched, 'file'), 'text');
  const [error, events] = await change;
  console.log(error, events.map(({ type }) => type));
  await subscription.unsubscribe();
}

async function compilers() {
  const css = require('lightningcss');
  console.log(css.transform({ filename: 'a.css', minify: true, targets: { chrome: 80 << 16 },
    code: Buffer.from('.a { color: #ff0000; .b { margin: 0px } }') }).code.toString());
  console.log(css.transform({ filename: 'a.css', code: Buffer.from('a { color: red }'),
    visitor: { Color: () => ({ type: 'rgb', r: 1, g: 2, b: 3, alpha: 1 }) } }).code.toString());
  try {
    css.transform({ filename: 'a.css', code: Buffer.from('.a {') });
  } catch (error) {
    console.log(error.name, error.message);
  }
  const swc = require('@swc/core');
  console.log(swc.transformSync('const a: number = 1; class A { x = 1 }',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es5' } }).code);
  console.log((await swc.minify('function f(long) { return long + 1 }')).code);
}

async function bundle() {
  const { rollup } = require('rollup4');
  const modules = { main: "import { a } from 'other'; console.log(a)",
    other: 'export const a = 1; export const unused = 2;' };
  const plugins = [{ resolveId: (id) => id, load: (id) => modules[id] }];
  const made = await rollup({ input: 'main', plugins });
  console.log((await made.generate({ format: 'cjs' })).output[0].code);
  await made.close();
  modules.main = 'let =';
  await rollup({ input: 'main', plugins })
    .catch((error) => console.log(error.code, error.message));
}

async function pictures() {
  const sharp = require('sharp');
  const red = await sharp({ create: { width: 40, height: 30, channels: 3,
    background: { r: 255, g: 0, b: 0 } } }).png().toBuffer();
  const { data, info } = await sharp(red).resize(10).raw().toBuffer({ resolveWithObject: true });
  console.log(info.width, info.height, data.subarray(0, 3));
  console.log((await sharp(await sharp(red).jpeg().toBuffer()).metadata()).format);
  await sharp(Buffer.from('text')).toBuffer().catch((error) => console.log(error.message));
}

async function main() {
  await hashes();
  frames();
  await database();
  await watch();
  await compilers();
  await bundle();
  await pictures();
  fs.rmSync(folder, { recursive: true });
}
main();
