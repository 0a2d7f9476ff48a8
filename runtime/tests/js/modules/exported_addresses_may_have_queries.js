'use strict';
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const write = (name, text) => {
  fs.mkdirSync(path.dirname(name), { recursive: true });
  fs.writeFileSync(name, text);
};
const show = 'console.log(import.meta.url.replace(/^.*node_modules/, ""));';
write('node_modules/query/package.json', JSON.stringify({ type: 'module', exports: {
  '.': './main.js?a=b#c', './spaced': './a%20b.js?x', './plain': './main.js' } }));
write('node_modules/query/main.js', show);
write('node_modules/query/a b.js', show);
write('node_modules/lost/package.json', JSON.stringify({ main: 'lib/nowhere' }));
write('node_modules/empty/package.json', '{}');
write('start.mjs', 'export const load = (name) => import(name);');

(async () => {
  const { load } = await import(pathToFileURL('start.mjs'));
  for (const name of ['query', 'query/spaced', 'query/plain', 'query', 'lost', 'empty']) {
    await load(name).catch((error) => {
      console.log(error.code, error.message.replace(/'.*node_modules/, "'").split(' imported')[0]);
    });
  }
})();
