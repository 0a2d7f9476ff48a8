// webpack, rollup and esbuild: one project made into one file by each, and what that file prints
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const esbuild = require('esbuild');
const { rollup } = require('rollup');
const webpack = require('webpack');

const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'bundlers-'));
const inFolder = (...names) => path.join(folder, ...names);

const project = {
  'package.json': '{ "name": "project", "sideEffects": false }',
  'src/main.js': `import { area, Shape as Base } from './shapes.js';
import data from './data.json';
import * as everything from './many.js';
class Square extends Base { #side = 3; get size() { return area(this.#side); } }
console.log(new Square('square').describe(), data.list.map((n) => n ** 2), everything.used);
import('./later.js').then(({ default: later }) => console.log(later?.(1) ?? 'nothing'));
`,
  'src/shapes.js': `export const area = (side) => side * side;
export class Shape {
  constructor(name) { this.name = name; }
  describe() { return \`\${this.name} of \${this.size}\`; }
}
export function unused() { return 'NOBODY CALLS THIS'; }
`,
  'src/many.js': 'export const used = "used"; export const left = "NOBODY READS THIS";\n',
  'src/later.js': 'export default (n) => `later ${n + 1}`;\n',
  'src/data.json': '{ "list": [1, 2, 3] }',
  'src/typed.ts': `enum Level { Low = 1, High }
interface Named { readonly name: string }
const label = <T extends Named>(value: T, level: Level = Level.High): string =>
  \`\${value.name}:\${Level[level]}\`;
export const shown: string = label({ name: 'typed' } satisfies Named);
console.log(shown);
`,
};

function show(name, file) {
  const text = fs.readFileSync(file, 'utf8');
  console.log(name, text.includes('NOBODY'), text.length);
  console.log(execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim());
}

function withWebpack(options) {
  const compiler = webpack({ context: folder, entry: './src/main.js', target: 'node',
    output: { path: inFolder('webpack'), filename: '[name].[contenthash:8].js' }, ...options });
  return new Promise((resolve, reject) => compiler.run((error, stats) => {
    compiler.close(() => (error ? reject(error) : resolve(stats)));
  }));
}

async function packs() {
  const stats = (await withWebpack({ mode: 'production' })).toJson({ all: false, assets: true,
    modules: true, usedExports: true, hash: true });
  console.log('webpack', stats.hash, stats.assets.map(({ name, size }) => [name, size]));
  console.log(stats.modules.map(({ name, usedExports }) => [name, usedExports]));
  show('webpack', inFolder('webpack', stats.assets.find(({ name }) => /^main/.test(name)).name));
  fs.writeFileSync(inFolder('src/broken.js'),
    'import { gone } from "./many.js";\nimport "./none";\n' +
    'console.log(gone);\nexport default class { constructor( }\n');
  for (const entry of ['./src/broken.js', './src/missing.js']) {
    const found = (await withWebpack({ mode: 'development', entry, devtool: 'source-map' }))
      .toJson({ all: false, errors: true, warnings: true });
    for (const { message } of found.errors) console.log(message.replaceAll(folder, 'FOLDER'));
  }
}

async function rolls() {
  const json = { name: 'json', transform: (code, id) =>
    (id.endsWith('.json') ? { code: `export default ${code}`, map: null } : null) };
  const order = [];
  const spy = { name: 'spy', resolveId(source) { order.push(source); return null; },
    renderChunk(code, chunk) { order.push(Object.keys(chunk.modules).length); return null; } };
  const bundle = await rollup({ input: inFolder('src/main.js'), plugins: [json, spy] });
  const { output } = await bundle.write({ dir: inFolder('rollup'), format: 'cjs', sourcemap: true,
    entryFileNames: '[name]-[hash].js' });
  console.log(order.map((name) => String(name).replaceAll(folder, 'FOLDER')));
  for (const { fileName, type, exports, code } of output)
    console.log('rollup', fileName, type, exports, code?.length);
  console.log(JSON.parse(output[0].map.toString()).mappings.length);
  show('rollup', inFolder('rollup', output[0].fileName));
  await bundle.close();
  await rollup({ input: inFolder('src/broken.js') })
    .catch((error) => console.log(error.code, error.message, error.loc?.line, error.frame));
}

async function builds() {
  const result = await esbuild.build({ entryPoints: [inFolder('src/main.js')], bundle: true,
    minify: true, platform: 'node', outfile: inFolder('esbuild.js'), metafile: true,
    absWorkingDir: folder, plugins: [{ name: 'upper', setup(build) {
      build.onLoad({ filter: /later\.js$/ }, async ({ path: name }) => ({
        contents: (await fs.promises.readFile(name, 'utf8')).replace('later', 'LATER') }));
    } }] });
  console.log('esbuild', Object.keys(result.metafile.inputs));
  show('esbuild', inFolder('esbuild.js'));
  const typed = await esbuild.transform(project['src/typed.ts'], { loader: 'ts', sourcemap: true });
  console.log(typed.code, typed.map.length);
  await esbuild.transform('let a = ;', { logLevel: 'silent' }).catch(({ message, errors }) =>
    console.log(message, errors[0].location.column));
  const context = await esbuild.context({ entryPoints: [inFolder('src/typed.ts')], write: false,
    absWorkingDir: folder });
  for (let i = 0; i < 3; i++) console.log((await context.rebuild()).outputFiles[0].text.length);
  await context.dispose();
  await esbuild.stop();
}

async function main() {
  fs.mkdirSync(inFolder('src'));
  for (const [name, text] of Object.entries(project)) fs.writeFileSync(inFolder(name), text);
  await packs();
  await rolls();
  await builds();
}
main().finally(() => fs.rmSync(folder, { recursive: true }));
