'use strict';
// run.js PACKAGE: one of the programs beside this file.

const fs = require('fs');
const os = require('os');
const path = require('path');

const programs = Object.assign(
  {},
  ...['text', 'data', 'programs', 'files', 'code', 'web'].map((name) => require(`./${name}.js`)),
);

if (process.argv[2] === undefined) {
  console.log(JSON.stringify(Object.keys(programs)));
  return;
}
const load = async (name) => {
  const module = await import(name);
  return module.default ?? module;
};
load.all = (name) => import(name);
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'top-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const show = (...values) => console.log(...values);
programs[process.argv[2]](load, show, folder).catch((error) => {
  console.log('failed:', error);
  process.exitCode = 1;
});
