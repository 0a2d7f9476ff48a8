// Errors of imports: codes, words and fields.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'imports-')));
const files = {
  'b.mjs': 'export let q = 1', 'c.mjs': 'export let q = 2',
  'names.cjs': 'module.exports = { a: 1 }',
  'd.mjs': "export * from './b.mjs'; export * from './c.mjs';",
  'missing.mjs': "import { zzz } from './b.mjs'", 'star.mjs': "import { q } from './d.mjs'",
  'named.mjs': "import { a as b } from './names.cjs'", 'text.txt': '', 'bad.json': '{a',
  'syntax.mjs': 'var foo bar;',
  'node_modules/maps/package.json': JSON.stringify({ exports: {
    './null': null, './out': '../x.js', './bare': 'x.js', './list': [], './a/*': './lib/*.js',
    './deep': './node_modules/x.js', './gone': './gone.js' } }),
  'node_modules/mixed/package.json': '{"exports": {"./a": "./a.js", "b": "./b.js"}}',
  'node_modules/numbers/package.json': '{"exports": {"0": "./a.js"}}',
  'node_modules/broken/package.json': '{x',
  'node_modules/plain/file.js': '',
};
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
const base = `file://${folder}/`;
const clean = (text) => text.replaceAll(folder, '/F');
fs.writeFileSync(path.join(folder, 'import.mjs'), 'export default (a, b) => import(a, b);');
const { default: load } = await import(`${base}import.mjs`);

async function show(specifier, options) {
  try {
    await load(specifier, options);
    console.log('ok', specifier);
  } catch (error) {
    console.log(clean(`${error.name} ${error.code} | ${error.message} | ${Object.keys(error)}`));
  }
}

for (const name of ['./none.mjs', '/', 'none', '@a', 'a%2f', './a%2fb.mjs', 'http://x', 'foo:x',
  'data:text/javascript,import "./a"', 'data:text/javascript,import "a"', 'node:zz', '#x', '#',
  './text.txt', 'data:text/plain,', 'data:invalid,null', 'data:application/json,""',
  'data:text/javascript,require;', 'data:text/javascript,exports={};', './missing.mjs',
  './star.mjs', './named.mjs', './syntax.mjs', 'maps', 'maps/null', 'maps/out', 'maps/bare',
  'maps/list', 'maps/deep', 'maps/gone', 'maps/a/../b', 'maps/none', 'mixed', 'numbers', 'broken',
  'plain', 'plain/file', 'plain/file.js']) await show(name);
const many = [{ type: 'css' }, { type: 'json' }, { o: 'u' }, { type: 'json', o: 'u' }];
for (const attributes of many) {
  await show('data:text/javascript,export{}', { with: attributes });
  const number = JSON.stringify(attributes).length;
  await show(`data:application/json,${number}`, { with: attributes });
}
await show('./bad.json', { with: { type: 'json' } });
console.log(import.meta.resolve('./none.mjs').endsWith('/none.mjs'), import.meta.resolve('fs'));
fs.rmSync(folder, { recursive: true });
