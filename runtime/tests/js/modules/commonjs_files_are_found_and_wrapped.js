// Names of files, cycles, wrappers and extensions of CommonJS.
const fs = require('fs');
const os = require('os');
const path = require('path');
const Module = require('module');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'common-')));
const put = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};
put('main/package.json', '{"main": "gone"}');
put('main/index.js', 'module.exports = "index"');
put('lost/package.json', '{"main": "gone"}');
put('broken/package.json', '{x');
put('a.js', 'exports.b = require("./b"); exports.late = 1;');
put('b.js', 'exports.seen = Object.keys(require("./a")); exports.none = require("./a").none;');
put('file.foo.bar', '');
put('wrapped.js', 'module.exports = extra');
put('deep/node_modules/name/index.js', 'module.exports = __filename');
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  console.log(warning.name, warning.code, warning.message.replaceAll(folder, '/F'));
});
const show = (work) => {
  try {
    console.log(work());
  } catch (error) {
    const text = error.message.replaceAll(folder, '/F').split('\n')[0];
    console.log(error.name, error.code, JSON.stringify(text));
  }
};
show(() => require(`${folder}/main`));
show(() => require(`${folder}/lost`));
show(() => require(`${folder}/broken`));
show(() => require(`${folder}/a`));
show(() => require('node:none'));
show(() => require.resolve('node:none'));
show(() => require('a\0b'));
show(() => require.resolve('x', { paths: 1 }));
show(() => require.resolve('name', { paths: [`${folder}/deep`] }).replace(folder, ''));
show(() => require.resolve.paths('./x')[0] === __dirname);
show(() => require.resolve.paths('fs'));
require.extensions['.foo.bar'] = (module) => { module.exports = 'both'; };
show(() => require(`${folder}/file`));
Module.wrapper[0] += 'const extra = 42;';
show(() => require(`${folder}/wrapped`));
show(() => Module._stat(folder) + Module._stat(`${folder}/a.js`));
show(() => Object.keys(module).join());
fs.rmSync(folder, { recursive: true });
