'use strict';
// Patterns of "exports" and "imports" that end with a slash, and paths with two of them.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'old-patterns-'));
const home = path.join(folder, 'node_modules', 'old');
fs.mkdirSync(path.join(home, 'sub'), { recursive: true });
fs.writeFileSync(path.join(home, 'package.json'), JSON.stringify({ name: 'old',
  exports: { './dir/*': './sub/*', './slash/*/': './sub/*.js' } }));
fs.writeFileSync(path.join(home, 'sub', 'a.js'), 'module.exports = 5;');
fs.writeFileSync(path.join(folder, 'main.js'), `
for (const name of ['old/dir//a.js', 'old/slash/a/', 'old/slash/a/']) {
  try {
    console.log(name, require(name));
  } catch (error) {
    console.log(name, error.code);
  }
}`);
const { stdout, stderr } = spawnSync(process.execPath, ['--pending-deprecation', 'main.js'],
  { cwd: folder, encoding: 'utf8' });
console.log(stdout, stderr.match(/DEP0\d+/g));
fs.rmSync(folder, { recursive: true });
