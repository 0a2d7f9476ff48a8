// needs: linking
'use strict';
const path = require('path');

function load(name) {
  try {
    console.log(name, require(`./require_esm/${name}`));
  } catch (error) {
    console.log(name, error.name, error.code, error.message.replaceAll(__dirname, ''));
  }
}

for (const name of ['default.mjs', 'named.mjs', 'module_exports.mjs', 'es_module.mjs',
  'awaits.mjs', 'imports_awaits.mjs', 'only_awaits.js', 'throws.mjs', 'throws.mjs', 'no_kind.js',
  'cycle.mjs', 'imports.mjs']) load(name);

console.log(require('./require_esm/default.mjs') === require('./require_esm/default.mjs'));
const cached = require.cache[path.join(__dirname, 'require_esm/named.mjs')];
console.log(cached.loaded, cached.exports, Object.keys(require.extensions));

import('./require_esm/named.mjs').then((all) => {
  console.log('same as import', all === require('./require_esm/named.mjs'));
  return import('./require_esm/default.mjs');
}).then((all) => {
  console.log('a facade', all === require('./require_esm/default.mjs'), all);
  return import('./require_esm/awaits.mjs');
}).then((all) => {
  console.log(all);
  load('awaits.mjs');
});
